import { type CheckFailure, checkObject, type Fail, failsAsBefore, formatPath, leftAsItIs, withoutIdleDefaults } from "../model/check";
import { contentOf } from "../model/diff";
import { calledInProgram, identityOf, oneObjectReason } from "../model/identities";
import type { Properties } from "../model/remote";
import type { CheckContext, Defined } from "./kind";
import type { Checked } from "./resource";

/** Checks the inputs of a program. The checked inputs have their defaults, except for defaults without an effect. */
export function check(kind: Defined, given: CheckContext, news: Properties): Checked {
  const [failures, old]: [CheckFailure[], CheckFailure[]] = [[], []];
  const fail: Fail = (path, reason, isOld) => (isOld ? old : failures).push({ path: formatPath(path), reason });
  const { inputFields: fields } = kind;
  const { olds, context, resourceName: name, urn } = given;
  const withoutToken = context.missingToken(kind.api);
  if (withoutToken !== undefined) context.warn(withoutToken);
  const written = { ...news };
  kind.applyDefaults?.(written, given);
  const checked = checkObject(fields, written, [], fail, olds) ?? {};
  const isBroken = failsAsBefore(olds, (failBefore) => kind.validate?.(olds, failBefore, given, olds));
  kind.validate?.(checked, (path, reason) => fail(path, reason, isBroken(path, reason)), given, written);
  refuseSecond(kind, given, checked, fail);
  const { operation } = context;
  operation.checks.recordCheck(kind.kind, contentOf(fields, checked), checked);
  const was = isNew(given) ? undefined : olds;
  const warnings = [
    ...old.map((one) => leftAsItIs(kind.label, checked, one)),
    ...(kind.warnings?.(checked, written, given) ?? []),
    ...operation.declare({ kind: kind.kind, inputs: checked, was, name, urn }),
  ];
  if (failures.length === 0) for (const warning of warnings) context.warn(warning);
  return { inputs: withoutIdleDefaults(fields, checked, { written, olds }), failures };
}

/** Refuses a resource if another resource of the program is for the same object. */
function refuseSecond(kind: Defined, given: CheckContext, checked: Properties, fail: Fail): void {
  const identity = identityOf(kind, checked);
  if (!kind.identity || identity === undefined) return;
  const { context, resourceName, urn } = given;
  const resource = { resourceName, urn, isNew: isNew(given) };
  const other = context.operation.identities.record(identity, resource, kind.identity.isUnique);
  if (other) fail([kind.identity.property], oneObjectReason(kind.label, calledInProgram(other, resource)));
}

function isNew({ olds }: CheckContext): boolean {
  return Object.keys(olds).length === 0;
}
