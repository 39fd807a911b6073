import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { packages } from "../../tools/engines/engines";
import { type Files, withProgram, writeFiles } from "./programs";

/** The options of a program's process. */
interface Start {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The calls of the call stack that the SDK sends to the engine, by the resource's name. Each is a file and a line, or "" if the SDK sends
 * no position.
 *
 * @param folder the folder with the program's `index.js` and the packages that it needs
 */
export function stackTracesOf(folder: string, { flags = [], env = {} }: Start = {}): Record<string, string[]> {
  const script = `
    const pulumi = require("@pulumi/pulumi");
    pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: () => ({}) });
    const monitor = pulumi.runtime.getMonitor();
    const { registerResource } = monitor;
    const traces = {};
    monitor.registerResource = (request, ...rest) => {
      const frames = request.getStacktrace().getFramesList().map((frame) => frame.getPc());
      traces[request.getName()] = frames.map((at) => (at ? at.getUri() + ":" + at.getLine() : ""));
      return registerResource.call(monitor, request, ...rest);
    };
    process.on("exit", () => console.log(JSON.stringify(traces)));
    require("../../index.js");
  `;
  // The program is loaded from within a package, as Pulumi loads it.
  writeFiles(folder, { "node_modules/runner/index.js": script });
  const printed = execFileSync(process.execPath, [...flags, "node_modules/runner"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  const traces = z.record(z.string(), z.array(z.string())).parse(JSON.parse(printed));
  return Object.fromEntries(Object.entries(traces).map(([name, calls]) => [name, calls.map((call) => basename(call))]));
}

const links = ["@pulumi/pulumi", "pulumi-agentpool-acl", "source-map-support"];

/** Writes a program and its libraries into a folder in which they can import this package and the SDK. */
export function withPackages<T>(files: Files, use: (folder: string) => T): Promise<T> {
  return withProgram(files, async (folder) => {
    for (const name of links) {
      const link = join(folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(packages, name), link, "junction");
    }
    return use(folder);
  });
}
