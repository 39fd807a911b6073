import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { hasCli } from "../engines/engines";
import { root } from "../repository";

test("schema.json is valid according to Pulumi's metaschema", () => {
  if (!hasCli()) return console.log("The schema was not validated by the metaschema, because there is no pulumi on PATH.");
  const said = execFileSync("pulumi", ["schema", "check", join(root, "schema.json")], { encoding: "utf8" });
  expect(said).not.toMatch(/error|warning/i);
});
