import { withArticle } from "../../common/label";
import { ownProperty } from "../../common/own-property";
import { UserError } from "../../common/user-error";
import { type ApiError, isAmbiguous, isApiError } from "../apis/http/errors";
import { contentOf, differences } from "../model/diff";
import { identityOf } from "../model/identities";
import { adoptedMessage } from "../model/one-object";
import type { Properties, Remote } from "../model/remote";
import { someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { adoptExisting } from "./adopt";
import { later, readOrMissing } from "./gone";
import type { Defined } from "./kind";
import type { ResourceState } from "./resource";
import { objectOf, readBackCreated, serverOf, writtenState } from "./state";
import { madeAt } from "./version";

/** Creates an object, or adopts an existing one. */
export async function create(context: CallContext, kind: Defined, news: Properties): Promise<ResourceState> {
  const { checks, objects } = context.operation;
  checks.consumeCheck(kind.kind, contentOf(kind.inputFields, news));
  const remote = await createOrAdopt(context, kind, kind.inputs.parse(news));
  if (objects.isAdopted(objectOf(kind, remote.id, remote.outputs))) context.progress(adoptedMessage(kind.label, remote.id, news));
  return writtenState(context, kind, { news, sent: news, remote, verb: "created" });
}

/** Creates for the same identity wait for each other. */
function createOrAdopt(context: CallContext, kind: Defined, news: Properties): Promise<Remote<Properties>> {
  const identity = identityOf(kind, news);
  const send = async () => {
    // All reads come before the first write, so a failed read leaves nothing behind.
    const [found, before] = await Promise.all([
      kind.checksBeforeCreate || news.adopt ? kind.find(context, news) : [],
      kind.beforeCreate?.(context, news),
    ]);
    return found.length === 0 ? new Creation(context, kind, news, before).send() : adoptExisting(context, kind, news, found);
  };
  return identity ? context.operation.withLock(`create ${identity}`, send) : send();
}

const runAgain = "Run the update again: if the object exists, the error says how to take it over.";

/** A create, with a second try if necessary. It handles each kind of response, and a lost response. */
class Creation {
  private readonly server: string;
  /** Objects that the first try may have left over: the second try's warning does not name them again. */
  private readonly toldLeftOver = new Set<string>();

  constructor(
    private readonly context: CallContext,
    private readonly kind: Defined,
    private readonly news: Properties,
    private readonly before: unknown,
  ) {
    this.server = serverOf(context, kind);
  }

  async send(isSecondTry = false): Promise<Remote<Properties>> {
    const { context, kind, news, before } = this;
    let whole: object | undefined;
    try {
      whole = await kind.create(context, news, before);
    } catch (error) {
      const chosen = kind.chosenId?.(context, news, before);
      // If the first try took effect late, the server may refuse the second one because of it.
      if (chosen !== undefined && (isAmbiguous(error) || (isSecondTry && isApiError(error))))
        return this.sendSameAgain(chosen, error, isSecondTry);
      if (isAmbiguous(error)) return kind.leftOver ? this.sendAnother(error, isSecondTry) : this.recognize(error);
      if (kind.isNameConflict(error)) return this.adopt(error, kind.checksBeforeCreate === true || isSecondTry);
      throw error;
    }
    const created = whole ?? (await readBackCreated(context, kind, String(ownProperty(news, "name")), news));
    if (kind.isIdName && !(kind.isOwnCreate?.(created, before, news) ?? true)) throw this.overwrittenError(created);
    return this.created(created);
  }

  /**
   * The error for a create that has overwritten an object. Some servers report no conflict; the object's version shows that it existed
   * before.
   */
  private overwrittenError(whole: object): UserError {
    const { kind, news, server } = this;
    const { id, outputs } = this.toRemote(whole);
    return new UserError(
      "create-overwrote",
      `The create of ${kind.labelOf(id, news)} on ${server} has replaced another of that name that someone else made ${madeAt(outputs)}, between the read and the write. ` +
        'Agree with its owner on who manages it; then set adopt: "overwrite" to keep it here, or restore theirs.',
    );
  }

  /**
   * Adopts the object that has the name. If there is none any more, because another resource has given the name up, the create is sent once
   * more.
   */
  private async adopt(error: unknown, isLastTry: boolean): Promise<Remote<Properties>> {
    const { context, kind, news } = this;
    const found = await kind.find(context, news);
    if (found.length > 0) return adoptExisting(context, kind, news, found);
    if (isLastTry) throw error;
    return this.send(true);
  }

  /**
   * Handles a lost response to a create that has chosen the object's id. An object with that id comes from one of this create's tries. If
   * there is none, the create is sent once more.
   */
  private async sendSameAgain(id: string, cause: ApiError, isSecondTry: boolean): Promise<Remote<Properties>> {
    const { context, kind, news, server } = this;
    const remedy = `If it made ${kind.labelOf(id, news)} on ${server}, delete that by hand: the next update makes another.`;
    const whole = await this.lookForLost(() => readOrMissing(() => kind.requests(context, news).read(id)), remedy);
    if (whole !== undefined) return this.created(whole);
    if (isSecondTry) throw new UserError("create-unclear", `${cause.message} ${remedy}`, { cause });
    return this.send(true);
  }

  /**
   * Creates another object after a response with a secret was lost. The first create may have made an object, but nothing shows which one
   * it is.
   */
  private async sendAnother(cause: ApiError, isSecondTry: boolean): Promise<Remote<Properties>> {
    const { context, kind, news, server, before, toldLeftOver } = this;
    const find = async () => {
      const remotes = ((await kind.leftOver?.(context, news, before)) ?? []).map((whole) => this.toRemote(whole));
      const others = remotes.filter(({ id, outputs }) => !context.operation.objects.isHeld(objectOf(kind, id, outputs)));
      return others.length > 0 ? others.map(({ id }) => kind.labelOf(id, news)) : undefined;
    };
    const remedy = `If it made ${withArticle(kind.label)} on ${server}, delete that by hand: the program does not have its secret, and the next update makes another.`;
    const found = (await this.lookForLost(find, remedy)) ?? [];
    const labels = found.filter((label) => !toldLeftOver.has(label));
    const leftOver =
      labels.length === 0
        ? `${server} does not list it: nothing is left over, or it comes later.`
        : `It may have made ${someOf(labels)} on ${server}, valid until it is deleted. Unless another resource or program made it at the same time, delete it by hand.`;
    context.warn(`The response to the create of ${withArticle(kind.label)} was lost, and its secret with it. ${leftOver}`);
    for (const label of labels) toldLeftOver.add(label);
    if (isSecondTry) throw cause;
    return this.send(true);
  }

  /**
   * Handles a lost response by looking for an object with the same content. If others may have made that object, it is treated as an
   * existing one.
   */
  private async recognize(cause: ApiError): Promise<Remote<Properties>> {
    const { context, kind, news, server, before } = this;
    const find = async () => {
      const [one] = await kind.find(context, news);
      return one;
    };
    const whole = await this.lookForLost(find, runAgain);
    if (whole === undefined) throw cause;
    const { id, inputs, outputs } = this.toRemote(whole);
    const isSame = differences(kind.inputFields, news, inputs).length === 0;
    const isHeld = context.operation.objects.isHeld(objectOf(kind, id, outputs));
    if (!isSame || isHeld || !(kind.isOwnCreate?.(whole, before, news) ?? true)) {
      if (kind.isIdName) throw cause;
      return this.adopt(cause, true);
    }
    // Others may have created an equal object at the same time, so the user always gets a warning.
    context.warn(
      `${kind.labelOf(id, news)}: the response to its create was lost. The one on ${server} with exactly its content that was created since counts as it. Should another program have made ` +
        "that one at the same time, both manage it now: remove it from one of the two with `pulumi state delete`, or give one of them another name or content.",
    );
    return this.created(whole);
  }

  /**
   * Looks a few times for an object whose create got no response: the server may still be at work.
   *
   * @throws if the search fails. The error of the search alone would not say that the create may have made an object
   */
  private async lookForLost<Found>(find: () => Promise<Found | undefined>, remedy: string): Promise<Found | undefined> {
    try {
      let found = await find();
      for (let waitMs = 500; found === undefined && waitMs <= 4_000; waitMs *= 2) found = await later(this.context, waitMs, find);
      return found;
    } catch (error) {
      const reason = isApiError(error) || error instanceof UserError ? error.message : String(error);
      throw new UserError(
        "create-unclear",
        `The create got no response, and looking for what it made failed: ${reason} It is not known whether the write took effect. ${remedy}`,
        { cause: error },
      );
    }
  }

  private async created(whole: object): Promise<Remote<Properties>> {
    const { context, kind, news, before } = this;
    const remote = this.toRemote(whole);
    await kind.afterWrite?.(context, kind.labelOf(remote.id, news), news, before);
    return remote;
  }

  private toRemote(whole: object): Remote<Properties> {
    return this.kind.toRemote(whole, this.server, this.news);
  }
}
