import type { Call } from "../../provider/apis/http/errors";
import { errorCases, errorKinds, saved } from "../../provider/apis/http/errors/advice";
import type { ErrorWords } from "../../provider/model/error-words";
import { propertyErrors } from "../../provider/model/property-errors";
import { userErrors } from "../../provider/model/user-errors";
import { wrapped } from "../markdown";

/** As the rest of the document. */
const columns = 140;

/** A request for the advice of its errors. The head of the list says what is the same in many: another service, and the source of a token. */
const request: Call = {
  service: "cluster ACL",
  operation: "create",
  method: "POST",
  path: "",
  url: "https://cluster.example.com:4646/v1/acl/role",
  tokenSource: "",
  tries: 1,
};

/** The errors of requests: each kind, and the cases with an advice of their own. */
export function requestErrors(): string {
  const entries = [...Object.entries(errorKinds), ...Object.entries(errorCases)];
  return entries
    .map(([code, { cause, advice }]) =>
      wrapped(`- **${code}**: ${cause} ${advice(request, undefined).replace(` (${saved})`, "")}`.trim(), columns),
    )
    .join("\n");
}

const titles = new Map([
  ["configuration", "Configuration"],
  ["programs", "Programs"],
  ["objects", "Objects that exist already, are gone, or are on another server; operations that end early"],
  ["pools", "Agent pools"],
  ["methods", "ACL auth methods and binding rules"],
  ["functions", "Functions"],
]);

/** All other errors, by their areas: the words of the message, the cause, and what to do next. */
export function otherErrors(): string {
  const sections = Object.entries(userErrors).map(([area, entries]) => section(titles.get(area) ?? area, Object.values(entries)));
  return [...sections, section("Properties and arguments", propertyErrors)].join("\n\n");
}

function section(title: string, entries: readonly ErrorWords[]): string {
  return [
    `### ${title}`,
    "",
    ...entries.map(({ says, cause, remedy }) => wrapped(`- \`${wordsOf(says)}\`: ${cause} ${remedy}`, columns)),
  ].join("\n");
}

/** The words of a message without what differs before and after them. */
function wordsOf(says: string): string {
  return says.replace(/^(\.\.\.[:,]? ?)+|[:,]? ?\.\.\.$/g, "");
}
