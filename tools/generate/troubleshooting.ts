import { type ErrorWords, propertyErrors, userErrors } from "../../common/user-errors";
import { errorCases, errorKinds } from "../../provider/apis/http/errors/advice";
import { wrapped } from "../markdown";

/** As the rest of the document. */
const columns = 140;

/** The errors of requests: what each kind, and each case with an advice of its own, means. What to do is at the end of the message. */
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

/** All other errors, by their areas: the words of the message, and what to do next. */
export function otherErrors(): string {
  const sections = Object.entries(userErrors).map(([area, entries]) => section(titles.get(area) ?? area, Object.values(entries)));
  return [...sections, section("Properties and arguments", propertyErrors)].join("\n\n");
}

/** Messages of one remedy are one entry. */
function section(title: string, entries: readonly ErrorWords[]): string {
  const remedies = [...new Set(entries.map(({ remedy }) => remedy))];
  const items = remedies.map((remedy) => {
    const messages = entries.filter((entry) => entry.remedy === remedy).map(({ says }) => `\`${wordsOf(says)}\``);
    return wrapped(`- ${messages.join(", ")}: ${remedy}`, columns);
  });
  return [`### ${title}`, "", ...items].join("\n");
}

/** The words of a message without what differs before and after them. */
function wordsOf(says: string): string {
  return says.replace(/^(\.\.\.[:,]? ?)+|[:,]? ?\.\.\.$/g, "");
}
