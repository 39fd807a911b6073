import { readFileSync } from "node:fs";
import type { Environment } from "../../common/environment";
import { ConfigurationError } from "../../common/user-error";
import type { Settings } from "./config";

export type LoginSettings = NonNullable<Settings["clusterLogin"]>;

/**
 * A pipeline's identity token. It is read anew at each login, because it may have been renewed.
 *
 * @throws ConfigurationError if there is no token. The error repeats neither the value nor the path, because either may be another secret
 */
export function readIdentityToken(settings: LoginSettings, env: Environment): string {
  const unusable = (why: string) =>
    new ConfigurationError(
      "identity-token-unusable",
      `No login is possible: ${identityTokenSource(settings)} ${why}. Give the job its identity token there, or set AGENTPOOL_ACL_CLUSTER_TOKEN for this run.`,
    );
  let text: string | undefined;
  try {
    text = settings.jwtFile === undefined ? env[settings.jwtVariable ?? ""] : readFileSync(settings.jwtFile, "utf8");
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? ` (${String(error.code)})` : "";
    throw unusable(`can't be read${code}`);
  }
  const token = text?.trim() ?? "";
  if (token === "") throw unusable(settings.jwtFile === undefined ? "is not set" : "is empty");
  // A text of another form is not sent, because it may be another secret.
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw unusable("holds no JWT, which has three parts with dots between them");
  return token;
}

/** The known reason why a login is impossible; undefined if there is none. */
export function identityTokenProblem(settings: LoginSettings, env: Environment): string | undefined {
  try {
    readIdentityToken(settings, env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

/** The source of the token, in words. */
export function identityTokenSource({ jwtVariable }: LoginSettings): string {
  return jwtVariable === undefined
    ? "the file that agentpool-acl:clusterLogin.jwtFile names"
    : `the environment variable ${jwtVariable} (agentpool-acl:clusterLogin.jwtVariable)`;
}
