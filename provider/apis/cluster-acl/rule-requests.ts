import type { BindingRule, BindingRuleInput, BindingRuleStub, BindingRuleUpdate } from "./binding-rule";
import type { Connection } from "./connection";
import { Requests, type SharedKind, type WireKind } from "./requests";

type RuleKind = WireKind<BindingRule, BindingRuleStub, BindingRuleInput, BindingRuleUpdate, string>;

/** The requests for binding rules. By the version in a list, the content of a rule may be known from an earlier response. */
export class RuleRequests extends Requests<BindingRule, BindingRuleStub, BindingRuleInput, BindingRuleUpdate> {
  /** @param versions the rules of earlier responses, by their versions */
  constructor(
    connection: Connection,
    kind: RuleKind,
    shared: SharedKind<BindingRuleStub>,
    readonly versions: Map<string, BindingRule>,
  ) {
    super(connection, kind, shared);
  }

  override create(input: BindingRuleInput): Promise<BindingRule> {
    return this.remembered(super.create(input));
  }

  override update(id: string, input: BindingRuleUpdate): Promise<BindingRule> {
    return this.remembered(super.update(id, input));
  }

  override read(id: string): Promise<BindingRule> {
    return this.remembered(super.read(id));
  }

  /** The whole rule of a stub: each version of a rule is requested once. */
  async readListed(stub: BindingRuleStub): Promise<BindingRule> {
    return this.known(stub) ?? this.read(stub.id);
  }

  /** The whole rule of a stub, if an earlier response had this version. */
  known(stub: BindingRuleStub): BindingRule | undefined {
    return this.versions.get(versionOf(stub));
  }

  private async remembered(response: Promise<BindingRule>): Promise<BindingRule> {
    const rule = await response;
    this.versions.set(versionOf(rule), rule);
    return rule;
  }
}

/** The version of a rule. It has the index of the creation, too, because regions have different indexes. */
function versionOf({ id, createIndex, modifyIndex }: BindingRuleStub | BindingRule): string {
  return `${id.toLowerCase()} ${createIndex} ${modifyIndex}`;
}
