import type { ConfigValue } from "./state";
import { parseUrn } from "./urn";
import type { PropertyMap } from "./values";
import { equal, reveal } from "./values";

export type StepOperation =
  | "same"
  | "create"
  | "update"
  | "delete"
  /** A replacement as a whole; its two steps are reported, too. */
  | "replace"
  | "create-replacement"
  | "delete-replaced"
  /** `get`: an object that the stack does not manage. */
  | "read"
  | "read-replacement"
  | "read-discard"
  | "discard-replaced"
  /** The state forgets a resource that an earlier, unfinished replacement deleted and that the program no longer registers. */
  | "remove-pending-replace"
  | "refresh";

export interface RehearsedStep {
  urn: string;
  type: string;
  name: string;
  op: StepOperation;
  /** For a refresh: what the refresh found. */
  outcome?: "same" | "update" | "delete";
  changedProperties?: string[] | undefined;
  /** For a replacement: the properties that caused it; "id" for a forced replacement. */
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
  /** From the program, the provider or the engine. */
  | { kind: "diagnostic"; diagnostic: Diagnostic };

/** Shorter secrets are not masked in messages: they would match everywhere. */
const SHORTEST_CONCEALED = 4;

/** Shorter lines of errors do not count as repeated: they could be part of any other line. */
const SHORTEST_REPEATED = 12;

/** Collects the steps and messages of an operation, and passes them on immediately. Secrets of the configuration are masked in messages. */
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

  log(severity: Diagnostic["severity"], message: string, urn?: string): void {
    const concealed = this.secrets.reduce((text, value) => text.replaceAll(value, "[secret]"), message);
    const diagnostic: Diagnostic = { severity, message: concealed, ...(urn && { urn }) };
    this.diagnostics.push(diagnostic);
    this.listener({ kind: "diagnostic", diagnostic });
  }

  /**
   * The diagnostics, each error once: the SDK's host also prints the errors that it returns, so each comes a second time as a printed line,
   * at any time until the process has ended.
   */
  told(): Diagnostic[] {
    const lines = this.diagnostics.flatMap(({ severity, message }) => (severity === "error" ? message.split("\n") : []));
    const errors = lines.filter(({ length }) => length >= SHORTEST_REPEATED);
    const isRepeated = ({ severity, message, urn }: Diagnostic) =>
      severity === "info" && urn === undefined && errors.some((line) => message.includes(line));
    return this.diagnostics.filter((diagnostic) => !isRepeated(diagnostic));
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
