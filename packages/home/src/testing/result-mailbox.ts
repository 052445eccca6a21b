import type { LoopResults } from '@bulkhead/agent';
import type {
  ModelDelta,
  SkillsDelivery,
  SteerDelivery,
  ToolDefsDelivery,
  ToolResultDelivery,
} from '@bulkhead/protocol/agent';

/** What an agent's loop waits for and what it was sent, by id, whichever comes first. */
export class ResultMailbox implements LoopResults {
  readonly #deltas = new Map<string, Mailbox<ModelDelta>>();
  readonly #results = new Map<string, Mailbox<ToolResultDelivery>>();
  readonly #definitions = new Map<string, Mailbox<ToolDefsDelivery>>();
  readonly #skills = new Map<string, Mailbox<SkillsDelivery>>();
  /** Steers that no answer has followed yet, and those that one has. */
  #early: SteerDelivery[] = [];
  #due: SteerDelivery[] = [];

  steers(): readonly SteerDelivery[] {
    return this.#due.splice(0);
  }

  deliverSteer(steer: SteerDelivery): void {
    this.#early.push(steer);
  }

  async *model(requestId: string): AsyncGenerator<ModelDelta> {
    const deltas = of(this.#deltas, requestId);
    for (;;) yield await deltas.take();
  }

  toolResult(callId: string): Promise<ToolResultDelivery> {
    return of(this.#results, callId).take();
  }

  toolDefs(callId: string): Promise<ToolDefsDelivery> {
    return of(this.#definitions, callId).take();
  }

  skills(callId: string): Promise<SkillsDelivery> {
    return of(this.#skills, callId).take();
  }

  deliverDelta(delta: ModelDelta): void {
    of(this.#deltas, delta.requestId).put(delta);
  }

  deliverResult(delivery: ToolResultDelivery): void {
    this.#due.push(...this.#early.splice(0));
    of(this.#results, delivery.result?.callId ?? '').put(delivery);
  }

  deliverDefinitions(delivery: ToolDefsDelivery): void {
    this.#due.push(...this.#early.splice(0));
    of(this.#definitions, delivery.callId).put(delivery);
  }

  deliverSkills(delivery: SkillsDelivery): void {
    this.#due.push(...this.#early.splice(0));
    of(this.#skills, delivery.callId).put(delivery);
  }
}

class Mailbox<T> {
  readonly #items: T[] = [];
  readonly #takers: ((item: T) => void)[] = [];

  put(item: T): void {
    const taker = this.#takers.shift();
    if (taker === undefined) this.#items.push(item);
    else taker(item);
  }

  take(): Promise<T> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve(item);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
    });
  }
}

function of<T>(mailboxes: Map<string, Mailbox<T>>, id: string): Mailbox<T> {
  const known = mailboxes.get(id) ?? new Mailbox<T>();
  mailboxes.set(id, known);
  return known;
}
