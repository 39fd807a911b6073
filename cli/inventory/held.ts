import { boundNames } from "../../access/bound-names";
import type { Texts } from "../../access/template";
import { parseDuration } from "../../common/durations";
import { ownProperty } from "../../common/own-property";
import { type CallContext, type Resource, relationOf, type TokenStub } from "../../provider/internal";
import { type Inventory, type InventoryObject, resourceOf } from "./inventory";

/** The objects of the state, by the names and ids that unmanaged objects refer to. */
export class Held {
  readonly pools: readonly InventoryObject[];
  private readonly ids: ReadonlySet<string>;
  private readonly names: Readonly<Record<"method" | "role" | "policy", ReadonlySet<string>>>;
  /** The names of roles and policies that its rules compute. */
  private readonly computed: Readonly<Record<"role" | "policy", readonly Texts[]>>;
  /** The lifetimes of login tokens, in nanoseconds. */
  private readonly lifetimes: ReadonlySet<bigint | undefined>;

  constructor(
    private readonly state: Inventory,
    private readonly context: CallContext,
  ) {
    const { objects } = state;
    const of = (kind: string) => objects.filter((object) => object.kind === kind);
    const names = (kind: string) => of(kind).map(({ outputs }) => String(outputs.name));
    this.pools = of("AgentPool");
    this.ids = new Set(objects.map(({ kind, id }) => `${kind} ${id}`));
    this.names = {
      method: new Set(names("AclAuthMethod")),
      role: new Set([...names("AclRole"), ...of("AclRole").map(({ id = "" }) => id)]),
      policy: new Set(names("AclPolicy")),
    };
    const computed = (kind: "role" | "policy") =>
      of("AclBindingRule")
        .flatMap(({ outputs }) => (outputs.bindType === kind ? (boundNames(String(outputs.bindName), undefined) ?? []) : []))
        .filter(({ isComputed }) => isComputed);
    this.computed = { role: computed("role"), policy: computed("policy") };
    this.lifetimes = new Set(of("AclAuthMethod").map(({ outputs }) => parseDuration(String(outputs.maxTokenTtl))));
  }

  has(kind: string, id: string): boolean {
    return this.ids.has(`${kind} ${id}`);
  }

  hasName(kind: "method" | "role" | "policy", name: string): boolean {
    return this.names[kind].has(name);
  }

  /** Whether a bind name is an object's name, or may become one for some logins. */
  mayBind(kind: "role" | "policy", bindName: string): boolean {
    const possible = boundNames(bindName, undefined);
    return possible !== undefined && [...this.names[kind]].some((name) => possible.test(name));
  }

  /** Whether a rule of the state may give what has this name, by what the claims are. */
  mayGive(kind: "role" | "policy", name: string): boolean {
    return this.computed[kind].some((names) => names.test(name));
  }

  /** Whether a token has the lifetime of login tokens. A token made by hand with the same lifetime counts as one. */
  endsLikeLogin({ createTime, expirationTime }: TokenStub): boolean {
    if (expirationTime === undefined) return false;
    const milliseconds = Date.parse(expirationTime) - Date.parse(createTime);
    return Number.isFinite(milliseconds) && this.lifetimes.has(BigInt(Math.round(milliseconds)) * 1_000_000n);
  }

  /** Whether objects of a kind can touch the state's objects. */
  isTouchedBy(kind: string): boolean {
    const { method, role, policy } = this.names;
    if (kind === "AgentToken") return this.pools.length > 0;
    if (kind === "AclRole") return policy.size + this.computed.role.length > 0;
    if (kind === "AclPolicy") return this.computed.policy.length > 0;
    if (kind === "AclToken") return role.size + policy.size > 0;
    return kind === "AclBindingRule" && method.size + role.size + policy.size > 0;
  }

  /** Whether the state's objects of the API are on another server, so the configured one has none of them. */
  isElsewhere({ api }: Resource): boolean {
    return this.state.objects.some(({ kind, outputs }) => {
      const resource = resourceOf(kind);
      const server = ownProperty(outputs, "server");
      const isOfApi = resource?.api === api && typeof server === "string";
      return isOfApi && relationOf(server, resource.server(this.context)) === "other server";
    });
  }
}
