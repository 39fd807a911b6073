import * as z from "zod";
import { isApiError } from "../http/errors";
import type { Http } from "../http/http";
import type { RequestOptions } from "../http/request";
import { object, text, texts } from "./wire";

/**
 * The server's record of a request's token. The response also has its secret, which is not read. The API's document lacks this request, so
 * its form was measured.
 */
const form = object({ AccessorID: text, Name: text, Type: text, Policies: texts, Roles: z.array(object({ Name: text })).nullish() });

/**
 * The server's description of a refused token, as a sentence; undefined if there is none. Measured on a scheduler of version 2.0: the
 * response for an expired token is 500 "ACL token expired" until the server deletes the token, for an unknown token 403, and for a text
 * that is no UUID 500 "failed to parse signed token". Without a token, the server describes the anonymous one.
 */
export async function describeOwnToken(http: Http, context: RequestOptions): Promise<string | undefined> {
  try {
    const token = await http.request(
      {
        operation: "read",
        method: "GET",
        path: ["v1", "acl", "token", "self"],
        mediaType: "application/json",
        response: form,
        isSentOnce: true,
      },
      context,
    );
    if (token.AccessorID === "anonymous")
      return "The server has got no token with the request: check the header's name, and any proxy in between.";
    const name = token.Name === "" ? "" : ` ${JSON.stringify(http.shown(token.Name))}`;
    if (token.Type === "management")
      return `The server knows the token as the management token${name}, so something else refuses the request: a proxy, or another region.`;
    const policies = http.shown(token.Policies.join(", "));
    const roles = http.shown((token.Roles ?? []).map((role) => role.Name).join(", "));
    const rights = [policies && `policies ${policies}`, roles && `roles ${roles}`].filter((part) => part !== "").join("; ");
    return token.Type === "client"
      ? `The token is the client token${name}${rights && ` (${rights})`}, and this needs a management token.`
      : undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.says(/\btoken expired\b/i)) return "The token has expired.";
    if (error.says(/\bfailed to parse signed token\b/i)) return "The text that is configured is no token: a token is a UUID.";
    if (error.status === 401 || error.status === 403)
      return "The server does not know this token: it was deleted, has expired a while ago, or is another cluster's.";
    return undefined;
  }
}
