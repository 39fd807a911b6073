import type { Fields } from "../../provider/model/fields";
import type { DialectName } from "../../testing/simulator";
import { type Sample, samples, samplesFor } from "../kinds";
import type { Property } from "../kinds/property";
import { shareOf } from "../support/share";
import { type Inputs, only, toEveryServer } from "./harness";
import { at, differingPaths, within, withValue } from "./paths";

/** Every input at every depth, by its path. */
function pathsOf(fields: Fields, above: readonly string[] = []): string[] {
  return [...fields].flatMap(([name, { shape }]) => {
    const path = [...above, name];
    return [path.join("."), ...(shape.kind === "object" ? pathsOf(shape.properties, path) : [])];
  });
}

test.each(samples)("the table has every input of $kind, and no other", ({ kind, resource: { inputs } }) => {
  const mentioned = samples.filter((sample) => sample.kind === kind).flatMap(({ properties }) => properties.map(({ path }) => path));
  expect(mentioned.sort()).toEqual(pathsOf(inputs).sort());
});

interface Row {
  readonly sample: Sample;
  readonly property: Property;
  readonly kind: Sample["kind"];
  readonly path: string;
}

/** The rows of the table that hold for servers of this dialect. */
function rowsWith(dialect: DialectName): Row[] {
  return samplesFor(dialect).flatMap((sample) =>
    sample.properties.flatMap(({ documented, ...measured }): Row[] => {
      if (dialect === "documented" && documented === "lacks") return [];
      const property = dialect === "documented" ? { ...measured, ...(documented === "lacks" ? {} : documented) } : measured;
      return [{ sample, property, kind: sample.kind, path: property.path }];
    }),
  );
}

/** How many rows of each table `npm test` tries, so further kinds do not make it slower. */
const quick = 8;

const programWith = ({ kind }: Sample, { path, among }: Property, value: unknown) => only(kind, withValue(among, path, value));
const secretPaths = ["config.oidcClientSecret", "config.oidcClientAssertion.privateKey.pemKey"];
const storedAs = ({ first, second, storedAs: words }: Property) => words ?? [first, second];

/** A change of a property other than this one. For a part of config, it is a change of another part of config. */
function somethingElse({ changes: [first, second] }: Sample, path: string): readonly [path: string, value: unknown] {
  if (path.startsWith("config.")) return path === "config.oidcScopes" ? ["config.boundAudiences", ["new"]] : ["config.oidcScopes", ["new"]];
  return path === first[0] ? second : first;
}

toEveryServer("every input", (start, dialect) => {
  const rows = rowsWith(dialect);
  const sent = rows.filter(({ property }) => property.stored !== undefined && !property.bound);
  const changeable = sent.filter(({ property }) => !property.replaces);
  const visible = changeable.filter(({ property }) => !property.hidden);

  /**
   * The paths of the secrets that show as changed after others have changed something. The new hash says only that something has changed,
   * so the secrets may have changed, too. Documented servers give no hash, so no secret shows as changed there.
   */
  const secretsIn = (inputs: Inputs) => (dialect === "measured" ? secretPaths.filter((path) => at(inputs, path) !== undefined) : []);
  const begin = async (sample: Sample, property: Property) => {
    const stack = await start();
    sample.faults.prepare(stack);
    await stack.up(programWith(sample, property, property.first));
    const object = () => sample.stored(stack.simulator, stack.entry().id);
    if (property.stored) expect(at(object(), property.stored)).toEqual(storedAs(property)[0]);
    return { stack, object };
  };

  test.each(shareOf(quick, changeable))(
    "$kind: a change of $path is one write, and changes nothing else on the server",
    async ({ sample, property }) => {
      const { stack, object } = await begin(sample, property);
      const { stored = "" } = property;
      const before = object();
      const changed = programWith(sample, property, property.second);
      expect((await stack.preview(changed)).changes).toEqual([`update ${sample.kind} it`]);
      const { changes, writes } = await stack.up(changed);
      expect(changes).toEqual([`update ${sample.kind} it`]);
      expect(writes).toHaveLength(1);
      expect(at(object(), stored)).toEqual(storedAs(property)[1]);
      expect(within(stored, differingPaths(before, object()))).toEqual([stored]);
      expect((await stack.up(changed)).requests).toEqual([]);
    },
  );

  const replacing = sent.filter(({ property }) => property.replaces);
  test.each(shareOf(quick, replacing))(
    "$kind: a change of $path makes a new object, and then deletes the old one",
    async ({ sample, property }) => {
      const { stack, object } = await begin(sample, property);
      const { stored = "" } = property;
      const before = object();
      const oldId = stack.entry().id;
      const { writes } = await stack.up(programWith(sample, property, property.second));
      expect(writes.map((line) => line.split(" ")[0])).toEqual(["POST", "DELETE"]);
      expect(stack.entry().id).not.toBe(oldId);
      expect(within(stored, differingPaths(before, object()))).toEqual([stored]);
      expect(() => sample.stored(stack.simulator, oldId)).toThrow("does not have the object");
    },
  );

  const removable = changeable.filter(({ property }) => typeof property.leftOut === "object");
  test.each(shareOf(quick, removable))(
    "$kind: $path returns to its default on the server if it is left out, with one write",
    async ({ sample, property }) => {
      const { stack, object } = await begin(sample, property);
      const { stored = "", leftOut } = property;
      const before = object();
      const without = programWith(sample, property, undefined);
      const { writes } = await stack.up(without);
      expect(writes).toHaveLength(1);
      expect(at(object(), stored)).toEqual(typeof leftOut === "object" ? leftOut.becomes : leftOut);
      expect(within(stored, differingPaths(before, object()))).toEqual([stored]);
      expect((await stack.up(without)).requests).toEqual([]);
      expect((await stack.preview(without, { refresh: true })).changes).toEqual([]);
    },
  );

  const kept = rows.filter(({ property }) => property.leftOut === "kept");
  test.each(shareOf(quick, kept))("$kind: $path left out changes nothing on the server", async ({ sample, property }) => {
    const { stack, object } = await begin(sample, property);
    const before = object();
    const without = programWith(sample, property, undefined);
    await stack.up(without);
    expect(object()).toEqual(before);
    expect((await stack.preview(without, { refresh: true })).changes).toEqual([]);
  });

  const local = rows.filter(({ property }) => property.stored === undefined);
  test.each(shareOf(quick, local))("$kind: a change of $path is kept in the state, without a request", async ({ sample, property }) => {
    const { stack } = await begin(sample, property);
    const { requests } = await stack.up(programWith(sample, property, property.second));
    expect(requests).toEqual([]);
    expect(at(stack.inputs(), property.path)).toEqual(property.second);
    expect(at(stack.outputs(), property.path)).toEqual(property.second);
  });

  const refusedThere = rows.filter(({ property }) => property.leftOut === "refused there");
  // Documented servers accept a role without policies.
  if (dialect === "measured")
    test.each(shareOf(quick, refusedThere))(
      "$kind: $path left out is refused by the server, and the error has its name",
      async ({ sample, property }) => {
        const { stack, object } = await begin(sample, property);
        const before = object();
        const { errors } = await stack.fails("up", programWith(sample, property, undefined));
        expect(errors).toMatch(new RegExp(`^${property.path}: .*400`));
        expect(object()).toEqual(before);
      },
    );

  const isPoolName = ({ kind, path }: Row) => kind === "AgentPool" && path === "name";
  const required = rows.filter((row) => row.property.leftOut === "refused" && !isPoolName(row));
  test.each(shareOf(quick, required))("$kind: $path left out is refused by its name, before any request", async ({ sample, property }) => {
    const stack = await start();
    const { errors, requests } = await stack.fails("preview", programWith(sample, property, undefined));
    expect(errors).toContain(property.path);
    expect(requests).toEqual([]);
  });

  test.each(rows.filter(isPoolName))(
    "AgentPool: a missing name becomes the resource's name if the adapter knows it, and is refused otherwise",
    async ({ sample, property }) => {
      const stack = await start();
      const program = programWith(sample, property, undefined);
      if (!stack.adapter.knowsNames) return void expect((await stack.fails("preview", program)).errors).toContain("name is required");
      await stack.up(program);
      expect(stack.simulator.pools.list()).toMatchObject([{ name: "it" }]);
    },
  );

  test.each(shareOf(quick, rows))("$kind: a refresh with $path unchanged leaves the state byte for byte", async ({ sample, property }) => {
    const { stack } = await begin(sample, property);
    const before = stack.properties();
    expect((await stack.refresh()).changes).toEqual([]);
    expect(stack.properties()).toEqual(before);
  });

  test.each(shareOf(quick, visible))(
    "$kind: $path changed by others is drift of this property only, and the next up restores it",
    async ({ sample, property }) => {
      const { stack, object } = await begin(sample, property);
      const { path, stored = "" } = property;
      const program = programWith(sample, property, property.first);
      const good = object();
      const goodInputs = stack.inputs();
      sample.edit(stack.simulator, stack.entry().id, withValue(good, stored, storedAs(property)[1]));

      expect((await stack.refresh()).changes).toEqual([`refresh update ${sample.kind} it`]);
      const changed = [path, ...secretsIn(goodInputs)];
      expect(within(path, differingPaths(goodInputs, stack.inputs())).sort()).toEqual(within(path, changed).sort());
      const preview = await stack.preview(program);
      expect(preview.changes).toEqual([`update ${sample.kind} it`]);
      expect(preview.changedProperties()).toEqual([...new Set(changed.map((one) => one.split(".")[0]))].sort());

      expect((await stack.up(program)).writes).toHaveLength(1);
      expect(object()).toEqual(good);
      expect(stack.inputs()).toEqual(goodInputs);
      expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
    },
  );

  const readable = changeable.filter(({ path }) => !/oidcClientSecret|pemKey/.test(path));
  // A documented server does not show whether others have rotated a secret. So the provider refuses to update a method there if the program
  // ignores all of config.
  const left = readable.filter(({ path }) => path !== "config" || dialect === "measured");
  const unseenOrIgnored = [...readable.map((row) => ({ ...row, how: "unseen" })), ...left.map((row) => ({ ...row, how: "ignored" }))];
  test.each(shareOf(quick, unseenOrIgnored))(
    "$kind: $path changed by others, $how, survives an update of another property, and is restored once it is seen and not ignored",
    async ({ sample, property, how }) => {
      const stack = await start();
      sample.faults.prepare(stack);
      const { path, stored = "", among, first } = property;
      const [elsewhere, value] = somethingElse(sample, path);
      const program = (more: Inputs) => only(sample.kind, withValue(more, path, first), { ignoreChanges: how === "ignored" ? [path] : [] });
      await stack.up(program(among));
      const { id } = stack.entry();
      const ours = at(stack.inputs(), path);
      const theirs = withValue(sample.stored(stack.simulator, id), stored, storedAs(property)[1]);
      sample.edit(stack.simulator, id, theirs);
      const there = () => at(sample.stored(stack.simulator, id), stored);
      const changed = withValue(among, elsewhere, value);
      expect((await stack.up(program(changed))).writes).toHaveLength(1);
      expect(there()).toEqual(storedAs(property)[1]);
      expect(at(stack.inputs(), path)).toEqual(ours);
      expect(at(stack.outputs(), path)).toEqual(ours);

      await stack.refresh();
      if (how === "ignored") expect((await stack.preview(program(changed), { refresh: true })).changes).toEqual([]);
      if (property.hidden) return;
      expect((await stack.up(only(sample.kind, withValue(changed, path, first)))).writes).toHaveLength(1);
      expect(there()).toEqual(storedAs(property)[0]);
    },
  );

  const emptied = visible.filter(({ property }) => typeof property.leftOut === "object");
  test.each(shareOf(quick, emptied))(
    "$kind: $path reset by others is drift of this property only, and the next up restores it",
    async ({ sample, property }) => {
      const { stack, object } = await begin(sample, property);
      const { path, stored = "", leftOut } = property;
      const program = programWith(sample, property, property.first);
      const good = object();
      const goodInputs = stack.inputs();
      const becomes = typeof leftOut === "object" ? leftOut.becomes : leftOut;
      sample.edit(stack.simulator, stack.entry().id, withValue(good, stored, becomes));

      expect((await stack.refresh()).changes).toEqual([`refresh update ${sample.kind} it`]);
      expect(within(path, differingPaths(goodInputs, stack.inputs())).sort()).toEqual(
        within(path, [path, ...secretsIn(goodInputs)]).sort(),
      );
      expect((await stack.up(program)).writes).toHaveLength(1);
      expect(object()).toEqual(good);
      expect(stack.inputs()).toEqual(goodInputs);
    },
  );
});
