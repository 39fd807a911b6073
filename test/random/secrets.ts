import type { StackState } from "../../testing/rehearsal";
import { redact } from "../../testing/rehearsal/engine/values";
import type { JournalEntry, Simulator } from "../../testing/simulator";
import { ownSecret, theirSecret } from "./kinds/acl-auth-method";

/** The field in which a write may carry a secret of its object, by the beginning of the path. No update sends the secret of a token. */
const secretFields = { "/v1/acl/auth-method": "OIDCClientSecret", "/v1/acl/token": "SecretID" };

/** The results of an operation that can be read afterwards. */
interface Traces {
  readonly result: object;
  readonly log: readonly string[];
  readonly requests: readonly JournalEntry[];
}

/**
 * The places in which a client secret or a token can be read. The state holds the program's secrets, marked, so its file has them
 * encrypted. Apart from headers, where the journal hides tokens, only the writes of an object may
 * carry its secret, in the field for it.
 */
export function leaks(
  { simulator, state }: { simulator: Simulator; state: StackState | undefined },
  { result, log, requests }: Traces,
): string[] {
  const places = {
    "the result": result,
    "the log": log,
    "the state": (state?.resources ?? []).map(({ inputs, outputs, ...rest }) => ({
      ...rest,
      inputs: redact(inputs),
      outputs: redact(outputs),
    })),
    "the state's configuration": Object.values(state?.config ?? {}).filter(({ secret }) => !secret),
    "a request": requests.map(withoutOwnSecret),
  };
  const tokens = simulator.cluster.tokens.list();
  const secrets = [ownSecret, theirSecret, simulator.poolsToken, simulator.clusterToken, ...tokens.map(({ SecretID }) => SecretID)];
  const readable = Object.entries(places).filter(([, place]) => {
    const text = JSON.stringify(place);
    return secrets.some((secret) => text.includes(secret));
  });
  const hasTheirs = JSON.stringify(state ?? {}).includes(theirSecret);
  return [...readable.map(([place]) => place), ...(hasTheirs ? ["the state, although others have set it"] : [])];
}

function withoutOwnSecret(entry: JournalEntry): object {
  const field = Object.entries(secretFields).find(([path]) => entry.method === "POST" && entry.path.startsWith(path))?.[1];
  if (field === undefined) return entry;
  return JSON.parse(JSON.stringify(entry, (key, value: unknown) => (key === field ? "" : value)));
}
