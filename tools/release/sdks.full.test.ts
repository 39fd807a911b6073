import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { hasCli } from "../engines/engines";
import { root } from "../repository";
import { makeSdks, sdkLanguages } from "./sdks";

test("each SDK is made without a network, and contains at most the logo of the checkout", async () => {
  if (!hasCli()) return console.log("No SDK was made, because there is no pulumi on PATH.");
  const out = mkdtempSync(join(tmpdir(), "agentpool-acl-sdks-"));
  try {
    const leftOut = await makeSdks("1.2.3", out);
    for (const reason of leftOut) console.log(`Left out: ${reason}`);
    // A missing language host is the only valid reason.
    expect(leftOut.filter((reason) => !/no language plugin/.test(reason))).toEqual([]);
    const contents = readdirSync(out).map((name) => [name, gunzipSync(readFileSync(join(out, name)))] as const);
    expect(contents).toHaveLength(sdkLanguages.length - leftOut.length);
    for (const [, content] of contents) expect(content.includes("127.0.0.1")).toBe(false);
    const dotnet = contents.find(([name]) => name.includes("dotnet"));
    if (dotnet) expect(dotnet[1].includes(readFileSync(join(root, "docs/logo.png")))).toBe(true);
  } finally {
    rmSync(out, { recursive: true });
  }
});
