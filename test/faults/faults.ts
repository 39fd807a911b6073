import { resources } from "../../provider/resources";
import type { ApiName, Fault } from "../../testing/simulator";

/** The request that a fault affects. */
export interface Met {
  readonly api: ApiName;
  /** The secrets of the request, which a server may repeat. */
  readonly echo: string;
}

/** A fault of one request. */
export interface MatrixFault {
  /** Whether the request has its effect on the server, although its response is lost or unusable. */
  readonly takesEffect?: true;
  /** The text that its error must contain. */
  readonly says: RegExp;
  /** Left out: the service is down, which the simulator's faults can't do. */
  readonly fault?: (met: Met) => Fault;
  /** The wait that the server requests, in milliseconds. */
  readonly asksToWait?: number;
}

const waitMs = 7_000;
const serverTime = Date.UTC(2019, 0, 1);
const rubbish = "rubbish ".repeat((10 * 1024 * 1024) / 8);
const notThere = {
  cluster: resources.flatMap(({ api, label }) => (api === "cluster" ? `${label} not found` : [])).join(", "),
  pools: "Agent pool not found",
};

const statusFault =
  (status: number, headers: Record<string, string> = {}) =>
  ({ echo }: Met): Fault => ({ kind: "status", status, body: `no: ${echo}`, contentType: "text/plain", headers });

const page =
  (status: number) =>
  ({ echo }: Met): Fault => ({ kind: "status", status, body: `<html><title>Oops ${echo}</title>${echo}</html>`, contentType: "text/html" });

const missing = ({ api, echo }: Met): Fault =>
  api === "cluster"
    ? { kind: "status", status: 404, body: `${notThere[api]} ${echo}`, contentType: "text/plain" }
    : { kind: "status", status: 404, body: JSON.stringify({ errors: [{ title: "not found", detail: echo }] }) };

/** Every fault of the matrix. */
export const faults = {
  refused: { says: /ECONNREFUSED/ },
  "dropped before": { says: /ECONNRESET|closed/, fault: () => ({ kind: "refuse" }) },
  "dropped after": { takesEffect: true, says: /closed/, fault: () => ({ kind: "drop-after" }) },
  "delayed past the time-out": { takesEffect: true, says: /no complete response within/, fault: () => ({ kind: "delay", ms: 600_000 }) },
  "401": { says: /401 .*The token comes from/, fault: statusFault(401) },
  "403": { says: /403 .*The token comes from/, fault: statusFault(403) },
  "404 of the API": { says: /404/, fault: missing },
  "404 empty": { says: /404 .*says nothing about the object/, fault: () => ({ kind: "status", status: 404 }) },
  "404 HTML": { says: /404 an HTML page.*says nothing about the object/, fault: page(404) },
  "408": { says: /408/, fault: statusFault(408) },
  "409": { says: /409/, fault: statusFault(409) },
  "412": { says: /412/, fault: statusFault(412) },
  "422": { says: /422/, fault: statusFault(422) },
  "429 with seconds": { says: /429/, fault: statusFault(429, { "retry-after": String(waitMs / 1000) }), asksToWait: waitMs },
  "429 with a date": {
    says: /429/,
    // The date is by the server's clock, which differs from this machine's.
    fault: statusFault(429, { date: new Date(serverTime).toUTCString(), "retry-after": new Date(serverTime + waitMs).toUTCString() }),
    asksToWait: waitMs,
  },
  "500 text": { says: /500/, fault: statusFault(500) },
  "500 not found": { says: /500/, fault: ({ api, echo }) => ({ kind: "status", status: 500, body: `${notThere[api]} ${echo}` }) },
  "502 HTML": { says: /502 an HTML page/, fault: page(502) },
  "503": { says: /503/, fault: statusFault(503) },
  "cut-off body": { takesEffect: true, says: /cut off|closed/, fault: () => ({ kind: "cut-off" }) },
  "wrong shape": {
    takesEffect: true,
    says: /another form than documented/,
    fault: ({ echo }) => ({ kind: "malformed", body: JSON.stringify({ wrong: ["shape", echo] }) }),
  },
  "10 MB of rubbish": { takesEffect: true, says: /not JSON/, fault: ({ echo }) => ({ kind: "malformed", body: `${echo} ${rubbish}` }) },
} as const satisfies Record<string, MatrixFault>;

export type FaultName = keyof typeof faults;

export function faultOf(name: FaultName): MatrixFault {
  return faults[name];
}

export const faultNames = Object.keys(faults).filter((name): name is FaultName => name in faults);
