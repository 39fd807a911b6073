/** The form of a program's errors. errors.full.test.ts: how soon the program ends with them. */
import { onBothEngines } from "../support/both-engines";
import { javascript } from "../support/programs";

it("a look-up that fails is reported by its message only, without a stack", async () => {
  const program = javascript(`exports.found = functions.getRoleOutput({ name: "nobody" });`);
  await onBothEngines({ "index.js": program }, async ({ engine }) => {
    const { ok, errors } = await engine.run("preview");
    expect(ok).toBe(false);
    expect(errors).toEqual([
      expect.stringMatching(
        /^getRole: the cluster has no ACL role named "nobody"\. [^\n]* GET \S+\/v1\/acl\/role\/name\/nobody: 404 ACL role not found\.$/,
      ),
    ]);
  });
});
