import type { CallContext } from "../context/call-context";
import { propertiesOf } from "../model/fields";
import { differences } from "../model/inputs";
import type { Updated, Writing } from "../model/merge";
import { withWroteOver } from "./age";
import type { CurrentOf, Kind, Types } from "./kind";
import { objectOf } from "./read";

/** Writes an update. @throws when the object is gone, with the likely reason */
export async function update<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  writing: Writing<T["News"], T["Known"], CurrentOf<T>>,
): Promise<Updated<T["Outputs"]>> {
  const { known, sent, current } = writing;
  const { server } = context.cluster();
  const { object, unsent = [], toOutputs } = await objectOf(context, kind, id, known).update(() => kind.update(context, id, writing));
  const remote = kind.toRemote(object, server, sent);
  const isChanged = differences(propertiesOf(kind.inputs), current.inputs, remote.inputs).length > 0;
  const written = withWroteOver(current, remote, isChanged, known);
  return { ...written, unsent, outputs: toOutputs ? toOutputs(written.outputs) : written.outputs };
}
