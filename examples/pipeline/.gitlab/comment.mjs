// Writes the results of preview jobs into one comment of each open merge request. It runs on the protected branch, with a token that may
// comment, and runs nothing of the requests: anybody may have written the texts in their artifacts.
const { CI_API_V4_URL: api, CI_PROJECT_ID: project, COMMENT_TOKEN: token } = process.env;
const marker = "<!-- access -->";
const most = 50_000;

async function request(path, options = {}) {
  const response = await fetch(`${api}/projects/${project}/${path}`, {
    ...options,
    headers: { "private-token": token, "content-type": "application/json" },
  });
  if (!response.ok && response.status !== 404) throw new Error(`${path}: ${response.status}`);
  return response;
}

async function list(path) {
  const all = [];
  for (let page = "1"; page; ) {
    const response = await request(`${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
    all.push(...(response.ok ? await response.json() : []));
    page = response.headers.get("x-next-page");
  }
  return all;
}

/** The text of a job's artifact, read only as far as it is shown; undefined for none. */
async function artifact(job) {
  const response = await request(`jobs/${job.id}/artifacts/access.txt`);
  if (!response.ok) return undefined;
  const read = [];
  let size = 0;
  for await (const chunk of response.body) {
    read.push(chunk);
    size += chunk.length;
    if (size >= most) break;
  }
  return Buffer.concat(read).subarray(0, most).toString("utf8");
}

/** Removes control characters, and characters that change the direction of text. Indents, so nothing is a link, a name, an image or HTML. */
function asText(untrusted) {
  const plain = untrusted.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => (/[\n\t]/.test(character) ? character : ""));
  return plain.replace(/^/gm, "    ");
}

const me = await (await fetch(`${api}/user`, { headers: { "private-token": token } })).json();
for (const { iid, sha } of await list("merge_requests?state=opened")) {
  const pipelines = await list(`merge_requests/${iid}/pipelines`);
  // A fork's pipeline is in another project, and has no preview.
  const pipeline = pipelines.find((one) => one.sha === sha && String(one.project_id) === project);
  const job = pipeline && (await list(`pipelines/${pipeline.id}/jobs`)).find(({ name }) => name === "preview");
  const said = job && (await artifact(job));
  if (said === undefined) continue;
  const body = `${marker}\nWhat logins gain and lose by ${sha}:\n\n${asText(said)}`;
  const own = (await list(`merge_requests/${iid}/notes`)).find(({ author, body: text }) => author.id === me.id && text.startsWith(marker));
  if (own?.body === body) continue;
  await request(`merge_requests/${iid}/notes${own ? `/${own.id}` : ""}`, { method: own ? "PUT" : "POST", body: JSON.stringify({ body }) });
}
