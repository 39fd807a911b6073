import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeArtifacts } from "./artifacts";

const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-artifacts-"));
const { PATH } = process.env;
afterAll(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});

test("a release whose SDKs can't be made is refused before anything is made: it would be published without them", async () => {
  process.env.PATH = folder;
  await expect(makeArtifacts("1.2.3", folder, { isReleased: true, isComplete: true })).rejects.toThrow(
    "the release would lack files, so it is not made:\nSDKs for python, go, dotnet: there is no pulumi on PATH",
  );
  expect(readdirSync(folder)).toEqual([]);
});
