import { ownProperty } from "../../common/own-property";
import { type ApiError, isAmbiguous, isApiError } from "../apis/http/errors";
import { identityText } from "../model/identities";
import { contentOf, differences } from "../model/inputs";
import { adoptedMessage } from "../model/one-object";
import type { Properties, Remote } from "../model/remote";
import { UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";
import { adoptExisting, findExisting, type SeenBefore } from "./adopt";
import { madeAt } from "./age";
import { readOrMissing } from "./gone";
import type { Kind, Types } from "./kind";
import { lookForLost, warnOfLeftOver, warnOfLostResponse } from "./lost-response";
import { refuseReplacementElsewhere, warnOfCreateElsewhere } from "./move";
import type { ResourceState } from "./resource";
import { objectOnServer, serverOf } from "./server";
import { writtenState } from "./state";
import { readBackCreated, withPropertyName } from "./write";

/** Creates an object, or adopts the one that exists already. */
export async function create<T extends Types>(context: CallContext, kind: Kind<T>, news: Properties): Promise<ResourceState> {
  warnOfCreateElsewhere(context, kind, news);
  refuseReplacementElsewhere(context, kind, news);
  const { checks, objects } = context.operation;
  checks.consumeCheck(kind.kind, contentOf(kind.inputFields, news));
  objects.requireSiblings();
  const remote = await withPropertyName(kind, () => createOrAdopt(context, kind, kind.toNews(news)));
  if (objects.isAdoptedHere(objectOnServer(context, kind, remote.id, remote.outputs)))
    context.progress(adoptedMessage(kind.label, remote.id, news));
  return writtenState(context, kind, { news, sent: news, remote, verb: "created" });
}

/** Creates for the same identity wait for each other. */
function createOrAdopt<T extends Types>(context: CallContext, kind: Kind<T>, news: T["News"]): Promise<Remote<T["Outputs"]>> {
  const identity = kind.identity(news);
  const send = async () => {
    const obstacle = kind.createObstacle?.(news);
    if (obstacle) throw obstacle;
    // All reads come before the first write, so a failed read leaves nothing behind.
    const [first, before] = await Promise.all([
      kind.looksFirst ? findExisting(context, kind, news) : [],
      kind.beforeCreate?.(context, news),
    ]);
    const adopted = first.length > 0 ? await adoptExisting(context, kind, news, { first }) : undefined;
    return adopted ?? new Creation(context, kind, news, before).send();
  };
  return identity ? context.operation.withLock(identityText(`create ${kind.kind}`, identity.values), send) : send();
}

/** One create, and what its response, or the lack of one, says about the object. */
class Creation<T extends Types> {
  private readonly server: string;
  /** What the first try may have left over: the second one's warning does not name it again. */
  private readonly toldLeftOver = new Set<string>();

  constructor(
    private readonly context: CallContext,
    private readonly kind: Kind<T>,
    private readonly news: T["News"],
    private readonly before: T["Before"] | undefined,
  ) {
    this.server = serverOf(context, kind);
  }

  async send(isSecondTry = false): Promise<Remote<T["Outputs"]>> {
    const { context, kind, news } = this;
    let whole: T["Whole"] | undefined;
    try {
      whole = await kind.create(context, news, this.before);
    } catch (error) {
      if (isAmbiguous(error)) return this.afterLostResponse(error, isSecondTry);
      // A first try that came late may be why the second one is refused.
      const id = isSecondTry ? kind.chosenId?.(context, news, this.before) : undefined;
      if (id !== undefined && isApiError(error)) return this.sendSameAgain(id, error, true);
      if (!kind.isTaken(error)) throw error;
      return this.afterConflict(error, isSecondTry);
    }
    const mayBe = (one: T["Whole"]) => !this.isDeleted(one);
    const created = whole ?? (await readBackCreated(context, kind, { id: String(ownProperty(news, "name")), sent: news, mayBe }));
    if (kind.isIdName && !(kind.isOwnCreate?.(created, this.before, news) ?? true)) throw this.overwrittenError(created);
    return this.created(created);
  }

  /** For a server that raises no conflict: the object shows that the create replaced another one. */
  private overwrittenError(whole: T["Whole"]): UserError {
    const { kind, news, server } = this;
    const { id, outputs } = this.toRemote(whole);
    return new UserError(
      "create-overwrote",
      `The create of ${kind.labelOf(id, news)} on ${server} has replaced another of that name that someone else made ${madeAt(outputs)}, between the read and the write. ` +
        'Agree with them whose it is; then set adopt: "overwrite" to keep it here, or restore theirs.',
    );
  }

  private afterLostResponse(cause: ApiError, isSecondTry: boolean): Promise<Remote<T["Outputs"]>> {
    const { context, kind, news, before } = this;
    const id = kind.chosenId?.(context, news, before);
    if (id !== undefined) return this.sendSameAgain(id, cause, isSecondTry);
    return kind.leftOver ? this.sendAgain(cause, isSecondTry) : this.recognize(cause);
  }

  /** The response is lost, and the create has chosen the id: what has it is this create's, and a second try can make no other. */
  private async sendSameAgain(id: string, cause: ApiError, isSecondTry: boolean): Promise<Remote<T["Outputs"]>> {
    const { context, kind, news, server } = this;
    const find = () => readOrMissing(() => kind.requests(context, news).read(id));
    const remedy = `If it made ${kind.labelOf(id, news)} on ${server}, delete that by hand: the next update makes another.`;
    const whole = await lookForLost(context, find, remedy);
    if (whole !== undefined) return this.created(whole);
    if (isSecondTry) throw new UserError("create-unclear", `${cause.message} ${remedy}`, { cause });
    return this.send(true);
  }

  private async afterConflict(error: ApiError, isSecondTry: boolean): Promise<Remote<T["Outputs"]>> {
    const { context, kind, news } = this;
    const first = kind.looksFirst ? [] : await kind.find(context, news);
    // Another resource of this program may have given the name up since.
    if (!kind.looksFirst && first.length === 0 && !isSecondTry) return this.send(true);
    return this.adopt(error, { first: first.length > 0 ? first : undefined, conflict: error });
  }

  /** The response is lost, and with it what makes the object of use. Whether there is one, and which, nobody can tell for certain. */
  private async sendAgain(cause: ApiError, isSecondTry: boolean): Promise<Remote<T["Outputs"]>> {
    const { context, kind, news, server, before } = this;
    const labels = async () => {
      const remotes = ((await kind.leftOver?.(context, news, before)) ?? []).map((whole) => this.toRemote(whole));
      const isOwn = ({ id, outputs }: Remote<T["Outputs"]>) =>
        context.operation.objects.isClaimed(objectOnServer(context, kind, id, outputs));
      const others = remotes.filter((remote) => !isOwn(remote)).map(({ id }) => kind.labelOf(id, news));
      return others.length > 0 ? others : undefined;
    };
    const remedy = `If it made an ${kind.label} on ${server}, delete that by hand: the program does not have its secret, and the next update makes another.`;
    const leftOver = (await lookForLost(context, labels, remedy)) ?? [];
    warnOfLeftOver(
      context,
      kind.label,
      server,
      leftOver.filter((label) => !this.toldLeftOver.has(label)),
    );
    for (const label of leftOver) this.toldLeftOver.add(label);
    if (isSecondTry) throw cause;
    return this.send(true);
  }

  /** The response is lost. The object may be there: this create's, or one that others made. */
  private async recognize(cause: ApiError): Promise<Remote<T["Outputs"]>> {
    const { context, kind, news, server, before } = this;
    const [whole] = (await lookForLost(context, () => this.findPresent())) ?? [];
    if (whole === undefined) throw cause;
    const { id, inputs, outputs } = this.toRemote(whole);
    const isSame = differences(kind.inputFields, news, inputs).length === 0;
    const isManaged = context.operation.objects.isClaimed(objectOnServer(context, kind, id, outputs));
    if (!isSame || isManaged || !(kind.isOwnCreate?.(whole, before, news) ?? true)) {
      if (kind.isIdName) throw cause;
      return this.adopt(cause, {});
    }
    warnOfLostResponse(context, kind.labelOf(id, news), server);
    return this.created(whole);
  }

  private async findPresent(): Promise<readonly T["Whole"][] | undefined> {
    const present = (await this.kind.find(this.context, this.news)).filter((whole) => !this.isDeleted(whole));
    return present.length > 0 ? present : undefined;
  }

  private isDeleted(whole: T["Whole"]): boolean {
    const { context, kind } = this;
    const { id, outputs } = this.toRemote(whole);
    return context.operation.objects.isDeleted(objectOnServer(context, kind, id, outputs));
  }

  private async adopt(cause: unknown, seen: SeenBefore<T["Whole"]>): Promise<Remote<T["Outputs"]>> {
    const adopted = await adoptExisting(this.context, this.kind, this.news, seen);
    if (!adopted) throw cause;
    return adopted;
  }

  private async created(whole: T["Whole"]): Promise<Remote<T["Outputs"]>> {
    const remote = this.toRemote(whole);
    await this.kind.afterCreate?.(this.context, this.kind.labelOf(remote.id, this.news), this.news, this.before);
    return remote;
  }

  private toRemote(whole: T["Whole"]): Remote<T["Outputs"]> {
    return this.kind.toRemote(whole, this.server, this.news);
  }
}
