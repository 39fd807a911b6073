import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../repository";
import { pictureFile, platformPicture } from "./picture";

test("the picture in the documents shows examples/platform", async () => {
  expect(readFileSync(join(root, pictureFile), "utf8")).toBe(await platformPicture());
});
