import type { Change } from "./engine";

/** A step in the form of both engines. */
interface Step {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly failed?: boolean | undefined;
}

/** Steps that change nothing, or that another step includes. */
const silent = new Set(["same", "read", "read-discard", "discard", "refresh", "create-replacement", "delete-replaced"]);

/** The changes of resources. The CLI reports a component a second time with its outputs. */
export function changesOf(steps: readonly Step[]): Change[] {
  const once = new Map(steps.map((step) => [`${step.op} ${step.urn} ${step.failed ?? false}`, step]));
  return [...once.values()]
    .filter(({ op, type, failed }) => (failed || !silent.has(op)) && !type.startsWith("pulumi:"))
    .map(({ op, urn, type, failed = false }) => ({
      op,
      kind: type.slice(type.lastIndexOf(":") + 1),
      name: urn.slice(urn.lastIndexOf("::") + 2),
      failed,
    }));
}

/** "create AclRole developers" */
export function described({ op, kind, name }: Change): string {
  return `${op} ${kind} ${name}`;
}
