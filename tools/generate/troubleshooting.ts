import type { Call } from "../../provider/apis/http/errors";
import { errorCases, errorKinds } from "../../provider/apis/http/errors/advice";
import { propertyErrors } from "../../provider/model/property-errors";
import { areas, type Words } from "../../provider/model/user-error-areas";
import { userErrors } from "../../provider/model/user-errors";
import { wrapped } from "../markdown";

/** A request for the advice of its errors. Those of the agent pool service name its own settings. */
const request: Call = {
  service: "cluster ACL",
  operation: "create",
  method: "POST",
  path: "",
  url: "https://cluster.example.com:4646/v1/acl/role",
  tokenSource: "The message says where the token comes from.",
  tries: 1,
};

/** The errors of requests: each kind, and the cases with an advice of their own. */
export function requestErrors(): string {
  const entries = [...Object.entries(errorKinds), ...Object.entries(errorCases)];
  return entries.map(([code, { cause, advice }]) => wrapped(`- **${code}**: ${cause} ${advice(request, undefined)}`.trim())).join("\n");
}

/** All other errors, by their areas: the words of the message, the cause, and what to do next. */
export function otherErrors(): string {
  const sections = Object.entries(areas).map(([area, title]) =>
    section(
      title,
      Object.values(userErrors).filter((entry) => entry.area === area),
    ),
  );
  return [...sections, section("Properties and arguments", propertyErrors)].join("\n\n");
}

function section(title: string, entries: readonly Words[]): string {
  return [`### ${title}`, "", ...entries.map(({ says, cause, remedy }) => wrapped(`- **\`${says}\`**: ${cause} ${remedy}`))].join("\n");
}
