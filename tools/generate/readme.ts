import { readFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../markdown";
import { root } from "../repository";
import { installation, otherLanguages, vulnerabilityReports } from "./installation";
import { readSource } from "./source";
import { otherErrors, requestErrors } from "./troubleshooting";

/**
 * Regenerates the parts of a document between `<!-- table NAME -->` and `<!-- end -->`: the lists of errors, the texts about installation
 * and vulnerabilities, and the table of speeds. @throws for an unknown NAME
 */
export function withTables(document: string, source = readSource()): string {
  const tables = new Map([
    ["errors of requests", requestErrors()],
    ["errors", otherErrors()],
    ["installation", installation(source)],
    ["other languages", otherLanguages(source)],
    ["reports of vulnerabilities", vulnerabilityReports(source)],
    ["speed", speedTable(readFileSync(join(root, "docs/speed.md"), "utf8"))],
  ]);
  return document.replace(/(<!-- table (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_, start: string, name: string, end: string) => {
    const text = tables.get(name);
    if (text === undefined)
      throw new Error(`a document names the unknown table ${JSON.stringify(name)}; known are ${[...tables.keys()].join(", ")}`);
    return `${start}${text}\n${end}`;
  });
}

/** The operations of docs/speed.md in the README. */
const operations = ["up", "second up", "refresh", "update of 10 %", "destroy", "refresh, 100 ms latency"];

/** A part of the table of docs/speed.md: requests and times of this provider and the naive one, and times of the no-op. */
function speedTable(speed: string): string {
  const rows = [...speed.matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|/gm)].map(([, operation = "", requests = "", times = ""]) => {
    const [[own = "", , naive = ""], [time = "", noop = "", naiveTime = ""]] = [requests.split(" · "), times.split(" · ")];
    return [operation, own, naive, time, naiveTime, noop];
  });
  const chosen = operations.map((name) => rows.find(([operation]) => operation === name));
  const whole = chosen.filter((row) => row !== undefined);
  if (whole.length < operations.length) throw new Error(`docs/speed.md lacks one of the operations ${operations.join("; ")}`);
  return table(["operation", "requests", "naive", "time, s", "naive", "no-op"], whole);
}
