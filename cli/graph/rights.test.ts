// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
/** Rights in pictures: the column after the policies, and the lights of a question. */
import fc from "fast-check";
import { policiesAllow } from "../../access/policy/allow";
import { unknown } from "../../common/unknown";
import { modelOf, rightsExport } from "../../test/support/access-example";
import { questions, rulesSets } from "../../test/support/random-rules";
import { cases } from "../../test/support/seed";
import type { AccessModel } from "../access/model";
import { toAccessModel } from "../access/read-model";
import { type Place, toQuestions } from "../access/right-question";
import { type Target, waysTo } from "../access/ways";
import { arranged } from "./boxes";
import { edgeKey, rightLights } from "./lights";
import { keyOf, linesOf, toPicture } from "./picture";
import { answerSentences } from "./right-answer";
import { narrowed } from "./selection";

const model = modelOf(rightsExport);
const right = (ask: string, place: Partial<Record<Place, string>> = {}): Target => ({ kind: "right", questions: toQuestions(ask, place) });

test("each policy is followed by its permissions, in the words of who; unknown ones are undecided", () => {
  const { nodes, edges } = toPicture(model, { hasRights: true });
  const rights = nodes.filter(({ kind }) => kind === "rights").map((node) => [node.key, linesOf(node)]);
  expect(Object.fromEntries(rights)).toEqual({
    "rights anonymous": ["namespace default: list jobs"],
    "rights database": ["namespace prod: read variables app/db"],
    "rights deploy-development": ["namespace dev-*: submit jobs, not decided: a word that this version does not know, made-up"],
    "rights deploy-production": [
      "namespace prod: submit jobs, run commands in tasks, write/read variables app/*, dispatch jobs, and 8 more",
      "namespace legacy: nothing (denied)",
      "node pool gpu: write, read, delete",
    ],
    "rights operate": ["! undecided: its rules are unknown"],
    "rights read-only": ["namespace *: read jobs, list jobs, read host volumes, parse jobs", "cluster: node: read"],
    "rights snapshots": ["cluster: everything, because operator:snapshot-save equals management, operator: snapshot-save"],
  });
  const leading = edges.flatMap(({ from, to }) => (nodes[to]?.kind === "rights" ? [`${nodes[from]?.key} -> ${nodes[to]?.key}`] : []));
  expect(leading.sort()).toEqual(rights.map(([key]) => `policy ${`${key}`.slice("rights ".length)} -> ${key}`).sort());
});

test.each(["[secret]", unknown])(
  "a policy with a secret or unknown name is not drawn, but named in a note together with rights: %p",
  (name) => {
    const urn = "urn:pulumi:dev::p::agentpool-acl:index:AclPolicy::everybody";
    const outputs = { name, rules: 'agent { policy = "write" }' };
    const objects = [{ kind: "AclPolicy", id: undefined, inputs: {}, name: "everybody", urn, outputs }];
    const preview = toAccessModel({ source: "preview.json", objects, gaps: [] });
    const note = 'Not drawn, because a part is secret, or unknown before an update: policy "everybody" (name).';
    for (const model of [preview, narrowed(preview, { method: "sso" })]) {
      expect(toPicture(model, { hasRights: true }).notes).toContain(note);
      expect(toPicture(model).notes).not.toContain(note);
    }
  },
);

test("a source without policies is named in a note together with rights, because `anonymous` and policies of jobs may be missing", () => {
  const objects = [{ kind: "AclRole", id: "1", inputs: {}, name: "dev", outputs: { name: "dev", policies: ["dev"] } }];
  const model = toAccessModel({ source: "export.json", objects, gaps: [] });
  const note = (kinds: string) => `Not looked at: ${kinds} (export.json has none).`;
  expect(toPicture(model, { hasRights: true }).notes).toContain(note("AclAuthMethod, AclBindingRule, AclPolicy"));
  expect(toPicture(model).notes).toContain(note("AclAuthMethod, AclBindingRule"));
});

test("a role with a secret name is named in a note, although another role has the name of its resource", () => {
  const role = (name: string, urn: string) => ({
    kind: "AclRole",
    id: undefined,
    inputs: {},
    name: "ops",
    urn,
    outputs: { name, policies: [] },
  });
  const urn = "urn:pulumi:dev::p::agentpool-acl:index:AclRole::ops";
  const model = toAccessModel({ source: "s.json", objects: [role("[secret]", urn), role("ops", `${urn}2`)], gaps: [] });
  const note = 'Not drawn, because a part is secret, or unknown before an update: role "ops" (name).';
  for (const shown of [model, narrowed(model, { role: "ops" })]) expect(toPicture(shown).notes).toContain(note);
});

test("one object for very many names says whose permissions are dangerous, and that the others are left out", () => {
  const names = [..."abcdefghijklm"].map((letter) => `team-${letter}`);
  const rules = (name: string) => (name === "team-e" ? 'operator { policy = "write" }' : 'node { policy = "read" }');
  const computed = { id: "1", authMethod: "sso", bindType: "policy", bindName: "team-${value.team}" } as const;
  const objects = [
    ...names.map((name) => ({ kind: "AclPolicy", id: name, inputs: {}, name, outputs: { name, rules: rules(name) } })),
    { kind: "AclBindingRule", id: "1", inputs: {}, name: "1", outputs: computed },
  ];
  const many = toAccessModel({ source: "export.json", objects, gaps: [] });
  const group = toPicture(many, { hasRights: true }).nodes.find(({ title }) => title === computed.bindName);
  expect(group && linesOf(group).slice(1)).toEqual([
    "one of 13 policies, by the claims",
    "their permissions are not shown here",
    "! may do everything: team-e",
  ]);
});

test("very many roles and very many policies of one bind name have an object each", () => {
  const names = [..."abcdefghijklm"].map((letter) => `team-${letter}`);
  const rule = (id: string, bindType: "role" | "policy") => ({ id, authMethod: "sso", bindType, bindName: "team-${value.team}" });
  const of = (kind: string, id: string, outputs: object) => ({ kind, id, inputs: {}, name: id, outputs: { ...outputs } });
  const objects = [
    of("AclPolicy", "adm", { name: "adm", rules: 'operator { policy = "write" }' }),
    ...names.map((name) => of("AclPolicy", name, { name, rules: 'node { policy = "read" }' })),
    ...names.map((name) => of("AclRole", `role-${name}`, { name, policies: [name === "team-c" ? "adm" : name] })),
    of("AclBindingRule", "1", rule("1", "role")),
    of("AclBindingRule", "2", rule("2", "policy")),
  ];
  const { nodes } = toPicture(toAccessModel({ source: "export.json", objects, gaps: [] }), { hasRights: true });
  expect(nodes.filter(({ title }) => title === "team-${value.team}").map((node) => linesOf(node).slice(1))).toEqual([
    ["one of 13 roles, by the claims", "their permissions are not shown here", "! may do everything: team-c"],
    ["one of 13 policies, by the claims", "their permissions are not shown here"],
  ]);
});

test("rights add the policies that apply without a login", () => {
  const holders = (shown: Parameters<typeof toPicture>[1]) =>
    Object.fromEntries(
      toPicture(model, shown).nodes.flatMap((node) => (/anonymous|database/.test(node.key) ? [[node.key, linesOf(node)]] : [])),
    );
  expect(holders({ hasRights: true })).toMatchObject({
    "policy anonymous": ["anonymous", "! everybody has it, without a token"],
    "policy database": ["database", "tasks of the job api of the namespace prod have it"],
  });
  expect(holders({})).toEqual({});
  const { policyFacts, ...others } = model;
  expect(toPicture(model)).toEqual(toPicture({ ...others, policyFacts: {} }));
  expect(holders({ hasRights: true, role: "deployers" })).toEqual({});
});

test("a policy with many places shows the dangerous ones first, and how many places it leaves out", () => {
  const namespaces = Array.from({ length: 9 }, (_, place) => `namespace "n${place}" { policy = "${place === 8 ? "write" : "read"}" }`);
  const policyFacts = { "read-only": { rules: namespaces.join("\n") }, operate: { rules: "" } };
  const lines = toPicture({ ...model, policyFacts }, { hasRights: true }).nodes.map((node) => [node.key, linesOf(node)] as const);
  const shown = new Map(lines);
  expect(shown.get("rights read-only")).toHaveLength(7);
  expect(shown.get("rights read-only")?.[0]).toMatch(/^namespace n8: submit jobs/);
  expect(shown.get("rights read-only")?.at(-1)).toBe("and 3 more places");
  expect(shown.get("rights operate")).toEqual(["nothing"]);
});

test("a right that needs another policy of the role is shown with that condition", () => {
  const policyFacts = {
    "read-only": { rules: 'namespace "prod" { capabilities = ["csi-write-volume", "csi-mount-volume", "list-jobs"] }' },
    operate: { rules: 'namespace "prod" { capabilities = ["csi-write-volume"] } plugin { policy = "read" }' },
  };
  const shown = toPicture({ ...model, policyFacts }, { hasRights: true }).nodes.map((node) => [node.key, linesOf(node)] as const);
  expect(Object.fromEntries(shown)).toMatchObject({
    "rights read-only": [
      "namespace prod: write CSI volumes (with plugin: read), mount CSI volumes (with plugin: read), list jobs, csi-read-volume",
    ],
    "rights operate": ["namespace prod: write CSI volumes", "cluster: plugin: read"],
  });
});

test("the box of a place has all of its dangerous permissions", () => {
  const paths = Array.from({ length: 9 }, (_, index) => `teams/number-${index}/credentials/*`);
  const writes = paths.map((path) => `path "${path}" { capabilities = ["write"] }`).join(" ");
  const policyFacts = { "read-only": { rules: `namespace "prod" { variables { ${writes} } }` } };
  const { boxes } = arranged(toPicture({ ...model, policyFacts }, { hasRights: true }));
  const texts = boxes.map(({ lines }) => lines.map(({ text }) => text).join(""));
  for (const path of paths) expect(texts).toContainEqual(expect.stringContaining(path));
});

test("a question lights up the policies that give the right, their roles, and the rules that lead there", () => {
  const { nodes, edges, perhaps } = rightLights(model, right("variables:read", { namespace: "prod", path: "app/db" }));
  const keys = (all: Iterable<string>) => [...all].filter((key) => !key.startsWith("rule ") && !key.startsWith("[")).sort();
  // The rules of operate are unknown, and so are the policies of "operators".
  expect(keys(perhaps)).toEqual(["policy operate", "rights operate", "role operators", "role team-${value.team}", "role team-ops"].sort());
  expect(keys(nodes).filter((key) => !perhaps.has(key))).toEqual(
    ["management", "method company-sso", "method pipelines", "policy database", "policy deploy-production"].concat([
      ...["rights database", "rights deploy-production", "role deployers"],
    ]),
  );
  expect(edges).toContain(edgeKey("role deployers", "policy deploy-production"));
  expect(edges).not.toContain(edgeKey("role deployers", "policy read-only"));
  const rules = model.rules.filter(({ id }) => nodes.has(keyOf("rule", id))).map(({ id }) => model.labels.get(id));
  expect(rules).toEqual([
    "Administrators",
    "Each team has a role",
    "Former operators",
    "Release managers are deployers",
    "The main branch deploys",
  ]);
});

test("the number of holders is a sentence, and so are the undecided ones", () => {
  const said = (target: Target) => answerSentences(model, target, waysTo(model, target));
  expect(said(right("variables:read", { namespace: "prod", path: "app/db" }))).toEqual([
    "1 role may: variables:read of app/db in the namespace prod.",
    "Logins of company-sso, pipelines get there by 3 rules.",
    "Undecided: 1 role, 2 rules.",
  ]);
  expect(said({ kind: "management" })[0]).toBe("1 role may: everything.");
  const known: AccessModel = { ...model, roles: {}, rules: [], undecided: [] };
  const target = right("node:write");
  expect(answerSentences(known, target, waysTo(known, target))).toEqual(["No roles may: node:write.", "No login gets there for certain."]);
  const byJob: AccessModel = { ...known, policyFacts: { job: { rules: 'node { policy = "write" }', job: { namespace: "prod" } } } };
  expect(answerSentences(byJob, target, waysTo(byJob, target))[1]).toBe("No login gets there for certain directly.");
});

test("a role is lit for a question exactly if its policies allow it, and dashed if that is undecided", () => {
  fc.assert(
    fc.property(rulesSets, rulesSets, questions, (some, others, question) => {
      const all = [...some, ...others];
      const names = all.map((_, place) => `p${place}`);
      const facts = Object.fromEntries(all.map((rules, place) => [`p${place}`, { rules }]));
      const roles = { some: names.slice(0, some.length), others: names.slice(some.length), both: names };
      const random: AccessModel = { ...model, rules: [], undecided: [], roles, policies: names, policyFacts: facts };
      const { nodes, perhaps } = rightLights(random, { kind: "right", questions: [question] });
      const answer = (key: string) => (perhaps.has(key) ? "undecided" : nodes.has(key));
      expect(["some", "others", "both"].map((name) => answer(`role ${name}`))).toEqual(
        [some, others, all].map((rules) => policiesAllow(rules, question)),
      );
    }),
    cases({ numRuns: 200 }),
  );
});

test("an answer about a part says so, and the policies that apply without a login count there, too", () => {
  const all = { rules: 'operator { policy = "write" }' };
  const backup = { ...all, job: { namespace: "prod" } };
  const everybody = { ...model, policyFacts: { ...model.policyFacts, anonymous: all, backup } };
  const part = narrowed(everybody, { method: "pipelines" });
  const ways = waysTo(part, { kind: "management" });
  expect(ways.others).toMatchObject([{ policy: "anonymous" }, { policy: "backup" }]);
  const said = `Only a part of ${model.source} is here, for the auth method pipelines: other objects are not counted.`;
  expect(answerSentences(part, { kind: "management" }, ways)).toContain(said);
  expect(answerSentences(model, { kind: "management" }, waysTo(model, { kind: "management" }))).not.toContain(said);
});
