import type { SessionLog } from '@bulkhead/log/session/session-log';
import type { EventLine } from '@bulkhead/log/testing';
import type { Life } from './life.ts';
import type { Surroundings } from './surroundings.ts';

/** A question that a person was asked. */
export interface Question {
  readonly sessionId: string;
  readonly approval: string;
  readonly hash: string;
}

/**
 * Watches one session of one engine as a client does, and checks each event at its publication: a
 * durable one must already be in the store, in the same form. Events must come in order and without
 * gaps.
 */
export class EngineWatch {
  readonly #world: Surroundings;
  readonly #sessionId: string;
  readonly #life: Life;
  readonly #asked: (question: Question) => void;
  #seq: number;

  constructor(
    world: Surroundings,
    parts: { readonly sessionId: string; readonly life: Life; readonly asked: (question: Question) => void },
  ) {
    this.#world = world;
    this.#sessionId = parts.sessionId;
    this.#life = parts.life;
    this.#asked = parts.asked;
    this.#seq = world.disk.store.lastSeq(parts.sessionId);
  }

  start(log: SessionLog): void {
    const subscription = log.watch(this.#sessionId, this.#seq);
    const push = subscription.push.bind(subscription);
    subscription.push = (line) => {
      this.#published(line);
      push(line);
    };
    void this.#read(subscription);
  }

  #published(line: EventLine): void {
    if (this.#life.death !== undefined || line.ephemeral) return;
    const [record] = this.#world.disk.store.records(this.#sessionId, { seq: line.seq - 1 }, 1);
    if (record?.seq === line.seq && record.type === line.type) return;
    this.#world.violated(`event ${line.seq} (${line.type}) was published and is not in the store [T3]`);
  }

  async #read(subscription: AsyncIterable<EventLine>): Promise<void> {
    try {
      for await (const line of subscription) this.#take(line);
    } catch (error) {
      if (this.#life.death === undefined) this.#world.violated(`a watcher was told ${String(error)}`);
    }
  }

  #take(line: EventLine): void {
    if (this.#life.death !== undefined) return;
    if (line.ephemeral) {
      if (line.seq !== this.#seq + 1) this.#wrong(line, `a piece is not before event ${this.#seq + 1}`);
      return;
    }
    if (line.seq !== this.#seq + 1) this.#wrong(line, `it follows event ${this.#seq}`);
    this.#seq = line.seq;
    if (line.type === 'message_end') this.#checkOwner(line);
    if (line.type !== 'approval_requested') return;
    const { approval, hash } = JSON.parse(line.json);
    this.#asked({ sessionId: this.#sessionId, approval: String(approval), hash: String(hash) });
  }

  /** A person's message contains its id, so that a client recognizes its own. */
  #checkOwner(line: EventLine): void {
    const { role, input, text } = JSON.parse(line.json);
    if (role === 'user' && text !== `about ${input}`) this.#wrong(line, `"${text}" is said to be ${input}`);
  }

  #wrong(line: EventLine, what: string): void {
    this.#world.violated(`a watcher saw event ${line.seq} (${line.type}): ${what} [T3]`);
  }
}
