import type { ConfigValue } from "./state";
import { parseUrn } from "./urn";
import type { PropertyMap } from "./values";
import { equal, reveal } from "./values";

export type StepOperation =
  | "same"
  | "create"
  | "update"
  | "delete"
  /** A replacement, as a whole; the two steps that it consists of are told as well. */
  | "replace"
  | "create-replacement"
  | "delete-replaced"
  /** `get`: an object that the stack does not manage. */
  | "read"
  | "read-replacement"
  | "read-discard"
  | "discard-replaced"
  /** Deleted in an earlier operation to be replaced, and not wanted any more. */
  | "remove-pending-replace"
  | "refresh";

export interface RehearsedStep {
  urn: string;
  type: string;
  name: string;
  op: StepOperation;
  /** Of a refresh: what it found. */
  outcome?: "same" | "update" | "delete";
  changedProperties?: string[];
  /** Of a replacement: the properties because of which it is one. "id" stands for a forced one. */
  replaceKeys?: string[];
  failed?: boolean;
}

export interface Diagnostic {
  severity: "info" | "warning" | "error";
  message: string;
  urn?: string;
}

export type RehearsalEvent =
  | { kind: "started" | "finished"; step: RehearsedStep }
  /** Written by the program or the provider, or told by the engine. */
  | { kind: "diagnostic"; diagnostic: Diagnostic };

/** Shorter secrets are not looked for in what is told: they would be found everywhere. */
const SHORTEST_CONCEALED = 4;

/** Collects what an operation did and passes it on while it happens. Secrets of the configuration are concealed in what is told. */
export class Report {
  readonly steps: RehearsedStep[] = [];
  readonly diagnostics: Diagnostic[] = [];
  private readonly secrets: string[];

  constructor(
    config: Record<string, ConfigValue>,
    private readonly listener: (event: RehearsalEvent) => void = () => {},
  ) {
    this.secrets = Object.values(config).flatMap(({ value, secret }) => (secret && value.length >= SHORTEST_CONCEALED ? [value] : []));
  }

  started(step: RehearsedStep): void {
    this.listener({ kind: "started", step });
  }

  finished(step: RehearsedStep): void {
    this.steps.push(step);
    this.listener({ kind: "finished", step });
  }

  tell(severity: Diagnostic["severity"], message: string, urn?: string): void {
    const concealed = this.secrets.reduce((text, value) => text.replaceAll(value, "[secret]"), message);
    const diagnostic: Diagnostic = { severity, message: concealed, ...(urn && { urn }) };
    this.diagnostics.push(diagnostic);
    this.listener({ kind: "diagnostic", diagnostic });
  }

  get hasErrors(): boolean {
    return this.diagnostics.some((diagnostic) => diagnostic.severity === "error");
  }
}

export function describe(op: StepOperation, urn: string): RehearsedStep {
  const { type, name } = parseUrn(urn);
  return { urn, type, name, op };
}

/** The properties whose values differ, secrets included, in the order of their names. */
export function changedProperties(olds: PropertyMap, news: PropertyMap): string[] {
  const [before, after] = [reveal(olds), reveal(news)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !equal(before[name], after[name])).sort();
}
