import { type ApiError, isAmbiguous, isConflict } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";
import { propertiesOf } from "../model/fields";
import { differences } from "../model/inputs";
import type { Remote } from "../model/remote";
import { UserError } from "../model/user-error";
import { adoptExisting, findExisting, type Seen } from "./adopt";
import type { Creating, Types } from "./kind";
import { lookForLost, warnOfLostResponse } from "./look";
import { objectOnServer, serverOf } from "./server";

/** Creates an object, or adopts the one that exists already. */
export function create<T extends Types>(context: CallContext, kind: Creating<T>, news: T["News"]): Promise<Remote<T["Outputs"]>> {
  return context.operation.withLock(`${kind.kind} ${kind.lockOf(news)}`, async () => {
    const obstacle = kind.createObstacle?.(news);
    if (obstacle) throw new UserError("secret-not-given", obstacle);
    // All reads come before the first write, so a failed read leaves nothing behind.
    const [first, before] = await Promise.all([
      kind.looksFirst ? findExisting(context, kind, news) : [],
      kind.beforeCreate?.(context, news),
    ]);
    const adopted = first.length > 0 ? await adoptExisting(context, kind, news, { first }) : undefined;
    return adopted ?? new Creation(context, kind, news, before).send();
  });
}

/** One create, and what its response, or the lack of one, says about the object. */
class Creation<T extends Types> {
  private readonly server: string;

  constructor(
    private readonly context: CallContext,
    private readonly kind: Creating<T>,
    private readonly news: T["News"],
    private readonly before: T["Before"] | undefined,
  ) {
    this.server = serverOf(context, kind);
  }

  async send(isSecondTry = false): Promise<Remote<T["Outputs"]>> {
    let object: T["Object"];
    try {
      object = await this.kind.create(this.context, this.news);
    } catch (error) {
      if (isAmbiguous(error)) return this.recognize(error);
      if (!(this.kind.isTaken ?? isConflict)(error)) throw error;
      return this.afterConflict(error, isSecondTry);
    }
    return this.created(object);
  }

  private async afterConflict(error: ApiError, isSecondTry: boolean): Promise<Remote<T["Outputs"]>> {
    const { context, kind, news } = this;
    const first = kind.looksFirst ? [] : await kind.find(context, news);
    // Another resource of this program may have given the name up since.
    if (!kind.looksFirst && first.length === 0 && !isSecondTry) return this.send(true);
    return this.adopt(error, { first: first.length > 0 ? first : undefined, conflict: error });
  }

  /** The response is lost. The object may be there: this create's, or one that others made. */
  private async recognize(cause: ApiError): Promise<Remote<T["Outputs"]>> {
    const { context, kind, news, server, before } = this;
    const [object] = (await lookForLost(context, () => this.findPresent())) ?? [];
    if (object === undefined) throw cause;
    const remote = this.toRemote(object);
    const isSame = differences(propertiesOf(kind.inputs), news, remote.inputs).length === 0;
    const isManaged = context.operation.objects.isClaimed(objectOnServer(kind, server, remote));
    if (!isSame || isManaged || !(kind.isOwnCreate?.(object, before, news) ?? true)) {
      if (kind.createOverwrites) throw cause;
      return this.adopt(cause, {});
    }
    warnOfLostResponse(context, kind.labelOf(remote.id, news), server);
    return this.created(kind.recover ? await kind.recover(context, object, news) : object);
  }

  private async findPresent(): Promise<readonly T["Object"][] | undefined> {
    const { context, kind, news, server } = this;
    const isDeleted = (object: T["Object"]) => context.operation.objects.isDeleted(objectOnServer(kind, server, this.toRemote(object)));
    const present = (await kind.find(context, news)).filter((object) => !isDeleted(object));
    return present.length > 0 ? present : undefined;
  }

  private async adopt(cause: unknown, seen: Seen<T["Object"]>): Promise<Remote<T["Outputs"]>> {
    const adopted = await adoptExisting(this.context, this.kind, this.news, seen);
    if (!adopted) throw cause;
    return adopted;
  }

  private async created(object: T["Object"]): Promise<Remote<T["Outputs"]>> {
    const remote = this.toRemote(object);
    await this.kind.afterCreate?.(this.context, this.kind.labelOf(remote.id, this.news), this.news, this.before);
    return remote;
  }

  private toRemote(object: T["Object"]): Remote<T["Outputs"]> {
    return this.kind.toRemote(object, this.server, this.news);
  }
}
