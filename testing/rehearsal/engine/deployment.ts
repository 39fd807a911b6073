import { anchorsOf, deletionWaves } from "./graph";
import { limit } from "./limit";
import type { Operation } from "./operation";
import { EngineError, messageOf, Stopped } from "./operation";
import type { Goal, ReadGoal } from "./planner";
import { Planner } from "./planner";
import type { InvokeRequest } from "./provider";
import { InitError } from "./provider";
import type { ResourceState } from "./state";
import type { Deletion, PlannedStep } from "./steps";
import { apply, describeStep, stepUrn } from "./steps";
import { parseUrn, STACK_TYPE } from "./urn";
import type { PropertyMap } from "./values";

/**
 * One run of the engine. The program's side calls register, read and registerOutputs, many at a time, and finish at the end. After a
 * failure no new step begins: calls that wait or come later throw Stopped, and running steps are completed.
 */
export class Deployment {
  private readonly planner: Planner;
  private readonly decide = limit(1);
  private readonly work: ReturnType<typeof limit>;
  private readonly goals = new Map<string, Goal>();
  private readonly states = new Map<string, ResourceState>();
  stackOutputs: { urn: string; outputs: PropertyMap } | undefined;
  /** Whether no new step may begin. */
  isStopped = false;
  private readonly running = new Set<Promise<unknown>>();
  private announceStop: () => void = () => {};
  /** Resolves when the operation has failed or was cancelled; never rejects. */
  readonly stopped = new Promise<void>((resolve) => {
    this.announceStop = resolve;
  });

  constructor(private readonly operation: Operation) {
    this.planner = new Planner(operation);
    this.work = limit(operation.parallel);
  }

  /** Returns the resource's new state once its steps are done. Throws Stopped when they could not be done. */
  async register(goal: Goal): Promise<ResourceState> {
    const parent = goal.parent === undefined ? undefined : this.goals.get(goal.parent);
    const { protect = parent?.protect, retainOnDelete = parent?.retainOnDelete, deletedWith = parent?.deletedWith } = goal;
    const inherited = { ...goal, protect, retainOnDelete, deletedWith };
    const state = await this.track(this.carryOut(() => this.planner.register(inherited)));
    this.goals.set(state.urn, inherited);
    return state;
  }

  read(goal: ReadGoal): Promise<ResourceState> {
    return this.track(this.carryOut(async () => this.planner.read(goal)));
  }

  /** Calls a function of a provider. The call changes nothing, so it is no step. */
  async invoke(request: InvokeRequest): Promise<PropertyMap> {
    const { provider } = this.operation;
    if (this.isStopped) throw new Stopped();
    if (!provider.invoke) throw new EngineError(undefined, `there is no function ${request.token}: dynamic providers have none`);
    return this.track(provider.invoke(request));
  }

  /**
   * Sets the outputs of a component or of the stack. The stack's outputs are kept at the end, when it is known whether the operation
   * succeeded.
   */
  registerOutputs(urn: string, outputs: PropertyMap): void {
    if (parseUrn(urn).type === STACK_TYPE) {
      this.stackOutputs = { urn, outputs };
      return;
    }
    const state = this.states.get(urn);
    if (state === undefined) throw new EngineError(urn, `outputs were registered for ${urn}, which is not registered itself`);
    state.outputs = outputs;
    this.operation.save();
  }

  /** Deletes resources that the program no longer registers, in groups: dependents before their dependencies. */
  async finish(): Promise<void> {
    const steps = new Map(this.planner.deletions().map((step) => [step.old, step]));
    const olds = this.operation.snapshot.olds;
    // The dependencies of resources that could not be deleted.
    const kept = new Set<ResourceState>();
    const attempt = async (step: Deletion): Promise<boolean> => {
      if (this.isStopped || kept.has(step.old)) return false;
      const done = await this.perform(step);
      // A protected resource only keeps its dependencies: it does not stop the operation.
      if (!done && !step.old.protect) this.stop();
      return done;
    };
    for (const wave of deletionWaves([...steps.keys()], olds)) {
      const results = wave.map(async (old) => {
        const step = steps.get(old);
        const done = step !== undefined && (await this.work(() => attempt(step)));
        if (!done) for (const anchor of anchorsOf(old, olds)) kept.add(anchor);
      });
      await Promise.all(results);
    }
  }

  /** Keeps the stack's outputs, together with the old ones if the update is incomplete. */
  keepStackOutputs(): void {
    if (this.stackOutputs === undefined) return;
    const { urn, outputs } = this.stackOutputs;
    const state = this.states.get(urn);
    if (state === undefined) return;
    state.outputs = this.operation.report.hasErrors ? { ...state.outputs, ...outputs } : outputs;
    this.operation.save();
  }

  /** Prevents further steps. */
  stop(): void {
    this.isStopped = true;
    this.announceStop();
  }

  /** Reports the errors, and stops. */
  fail(error: unknown): void {
    const { urn, messages } = error instanceof EngineError ? error : { urn: undefined, messages: [messageOf(error)] };
    for (const message of messages) this.operation.report.log("error", message, urn);
    this.stop();
  }

  /** Waits for the running steps. */
  async drain(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  private async track<T>(task: Promise<T>): Promise<T> {
    this.running.add(task);
    try {
      return await task;
    } finally {
      this.running.delete(task);
    }
  }

  private async carryOut(plan: () => Promise<PlannedStep[]>): Promise<ResourceState> {
    const steps = await this.decide(() => this.decided(plan));
    await this.work(async () => {
      for (const step of steps) if (!this.isStopped && !(await this.perform(step))) this.stop();
    });
    const last = steps.find((step) => "new" in step);
    if (this.isStopped || last === undefined) throw new Stopped();
    return last.new;
  }

  private async decided(plan: () => Promise<PlannedStep[]>): Promise<PlannedStep[]> {
    if (this.isStopped) throw new Stopped();
    try {
      return await plan();
    } catch (error) {
      this.fail(error);
      throw new Stopped();
    }
  }

  /** Carries a step out. @returns whether it succeeded */
  private async perform(step: PlannedStep): Promise<boolean> {
    const { report } = this.operation;
    const described = describeStep(step);
    report.started(described);
    try {
      await apply(step, this.operation);
      if ("new" in step) this.states.set(step.new.urn, step.new);
      report.finished(described);
      return true;
    } catch (error) {
      report.finished({ ...described, failed: true });
      const reasons = error instanceof InitError ? error.reasons : [];
      report.log("error", [messageOf(error), ...reasons].join("\n"), stepUrn(step));
      return false;
    }
  }
}
