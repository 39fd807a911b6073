/** A request to a simulated server, without the provider. */
export async function callServer(method: string, url: string, headers: Record<string, string>, body?: unknown) {
  const response = await fetch(url, { method, headers, body: typeof body === "string" ? body : JSON.stringify(body), redirect: "manual" });
  const text = await response.text();
  const type = response.headers.get("content-type");
  const isJson = text !== "" && (type === "application/json" || type === "application/vnd.api+json");
  const [location, index] = ["location", "x-nomad-index"].map((name) => response.headers.get(name));
  return { status: response.status, type, text, body: isJson ? JSON.parse(text) : undefined, location, index };
}

/** A response of a simulated server. */
export type Called = Awaited<ReturnType<typeof callServer>>;

const jsonApi = "application/vnd.api+json";

/** A request to the agent pools of a simulator. */
export const callPools = (
  { poolsAddress }: { readonly poolsAddress: string },
  token: string,
  method: string,
  path: string,
  body?: unknown,
) => callServer(method, `${poolsAddress}/api/v2${path}`, { Authorization: `Bearer ${token}`, "Content-Type": jsonApi }, body);
