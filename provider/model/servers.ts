import { ownProperty } from "../../common/own-property";
import { urlOf } from "../../common/url";
import type { Properties } from "./remote";

/**
 * The relation of two values of the output `server`. Regions of one address are one cluster: an object is in all of them, unless it is
 * a local token. Each region has its own indexes, and may lag behind the others.
 */
export type Relation = "same" | "other region" | "other server";

/**
 * Compares two servers by meaning: letter case of scheme and host, a default port and a slash at the end make no difference. Two names of
 * one host count as two servers, because names are not resolved here.
 */
export function relationOf(one: string, other: string): Relation {
  const [a, b] = [parse(one), parse(other)];
  if (a.address !== b.address) return "other server";
  return a.region === b.region ? "same" : "other region";
}

/** Whether both servers name a region of one cluster, and the regions differ. */
export function haveOtherRegions(one: string, other: string): boolean {
  return relationOf(one, other) === "other region" && [one, other].every((server) => parse(server).region !== undefined);
}

/** The server of a state, if it is another one than the configured server. Another region of one address is the same server. */
export function otherThan(configured: string, server: unknown): string | undefined {
  return typeof server === "string" && relationOf(server, configured) === "other server" ? server : undefined;
}

/** The server in the state's spelling, if both mean the same: another spelling in the configuration is no change. */
export function sameServer(olds: Properties, outputs: Properties): Properties {
  const [before, now] = [ownProperty(olds, "server"), ownProperty(outputs, "server")];
  return typeof before === "string" && typeof now === "string" && relationOf(before, now) === "same" ? { server: before } : {};
}

/** Parses a server in the clients' form: the address, then the region if one is configured. */
function parse(server: string): { readonly address: string; readonly region: string | undefined } {
  const [address = "", region] = server.split(" region ");
  const url = urlOf(address);
  if (!url) return { address, region };
  const { origin, pathname } = url;
  return { address: origin + pathname.replace(/\/+$/, ""), region };
}
