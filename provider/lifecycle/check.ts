import { holdsUnknown } from "../../common/unknown";
import { type CheckFailure, checkObject, type Fail, failsAsBefore, formatPath, leftAsItIs, withoutIdleDefaults } from "../model/check";
import { calledInProgram, identityText, oneObjectReason } from "../model/identities";
import { contentOf } from "../model/inputs";
import type { Properties } from "../model/remote";
import type { CheckContext, Kind, Types } from "./kind";
import type { Checked } from "./resource";

/** The inputs with their defaults, and what is wrong with them. */
export function check<T extends Types>(kind: Kind<T>, given: CheckContext, news: Properties): Checked {
  const [failures, old]: [CheckFailure[], CheckFailure[]] = [[], []];
  const fail: Fail = (path, reason, isOld) => (isOld ? old : failures).push({ path: formatPath(path), reason });
  const { inputFields: fields } = kind;
  const { olds, context } = given;
  const isNew = Object.keys(olds).length === 0;
  const withoutToken = context.missingToken(kind.api);
  if (withoutToken !== undefined) context.warn(withoutToken);
  const written = { ...news };
  kind.applyDefaults?.(written, given);
  const checked = checkObject(fields, written, [], fail, olds) ?? {};
  const isBroken = failsAsBefore(olds, (failBefore) => kind.validate?.(olds, failBefore, given, olds));
  kind.validate?.(checked, (path, reason) => fail(path, reason, isBroken(path, reason)), given, written);
  refuseSecond(kind, given, checked, fail);
  const { checks } = context.operation;
  checks.recordCheck(kind.kind, contentOf(fields, checked), checked);
  const warnings = [
    ...old.map((one) => leftAsItIs(kind.label, checked, one)),
    ...(kind.warnings?.(checked, written, given) ?? []),
    ...context.operation.declare({
      kind: kind.kind,
      inputs: checked,
      was: isNew ? undefined : olds,
      name: given.resourceName,
      urn: given.urn,
    }),
  ];
  if (failures.length === 0) for (const warning of warnings) context.warn(warning);
  return { inputs: withoutIdleDefaults(fields, checked, { written, olds }), failures };
}

/** Refuses a resource for an object that another one of the program is for. */
function refuseSecond<T extends Types>(kind: Kind<T>, { context, olds, resourceName, urn }: CheckContext, checked: Properties, fail: Fail) {
  const identity = kind.identity(checked);
  if (!identity || holdsUnknown(identity.values)) return;
  const { property, values, isUnique } = identity;
  const resource = { resourceName, urn, isNew: Object.keys(olds).length === 0 };
  const other = context.operation.identities.record(identityText(kind.kind, values), resource, isUnique);
  if (other) fail([property], oneObjectReason(kind.label, calledInProgram(other, resource)));
}
