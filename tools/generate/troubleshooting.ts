import { type ErrorWords, propertyErrors, userErrors } from "../../common/user-errors";
import { errorCases, errorKinds } from "../../provider/apis/http/errors";
import { wrapped } from "../markdown";

/** The width of the document. */
const columns = 140;

/** The errors of requests: the meaning of each kind, and of each case with its own advice. The remedy is at the end of the message. */
export function requestErrors(): string {
  const causes = [...Object.values(errorKinds), ...Object.values(errorCases)].map(({ cause }) => cause);
  return [...new Set(causes)].map((cause) => wrapped(`- ${cause}`, columns)).join("\n");
}

const titles = new Map([
  ["configuration", "Configuration"],
  ["programs", "Programs"],
  ["objects", "Objects that exist already, are gone, or are on another server; operations that end early"],
  ["pools", "Agent pools"],
  ["methods", "ACL auth methods and binding rules"],
  ["tokens", "ACL tokens"],
  ["functions", "Functions"],
]);

/** All other errors by area: the words of the message, and the remedy. */
export function otherErrors(): string {
  const sections = Object.entries(userErrors).map(([area, entries]) => section(titles.get(area) ?? area, Object.values(entries)));
  return [...sections, section("Properties and arguments", propertyErrors)].join("\n\n");
}

/** Messages with the same remedy share an entry. */
function section(title: string, entries: readonly ErrorWords[]): string {
  const remedies = [...new Set(entries.map(({ remedy }) => remedy))];
  const items = remedies.map((remedy) => {
    const messages = entries.filter((entry) => entry.remedy === remedy).map(({ says }) => `\`${wordsOf(says)}\``);
    return wrapped(`- ${messages.join(", ")}: ${remedy}`, columns);
  });
  return [`### ${title}`, "", ...items].join("\n");
}

/** The words of a message without the variable parts around them. */
function wordsOf(says: string): string {
  return says.replace(/^(\.\.\.[:,]? ?)+|[:,]? ?\.\.\.$/g, "");
}
