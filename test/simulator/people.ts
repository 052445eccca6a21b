import type { Sender } from '@bulkhead/log/session/sender';
import { BulkheadError } from '@bulkhead/protocol';
import type { EventScope } from '@bulkhead/testkit/simulation';
import type { EngineCore } from './engine-core.ts';
import type { Question } from './engine-watch.ts';
import type { PersonAct } from './person-script.ts';
import type { Surroundings } from './surroundings.ts';

type SendAct = Extract<PersonAct, { act: 'send' }>;

/** Wait before a person retries a missing engine, in milliseconds. */
const AGAIN_MS = 700;
/** How often a person tries to send one message. */
const MAX_TRIES = 8;
/** How long a run may continue after a cancel [T9]. */
const CANCEL_MS = 1_000;
/** Errors with which an engine whose disk or audit log fails, or that stops, turns somebody away for now. */
const FOR_NOW: ReadonlySet<string> = new Set(['store_failed', 'audit_failed', 'not_running']);

/** The promises to the sender of a message. */
export interface SentMessage {
  readonly sessionId: string;
  readonly messageId: string;
  readonly delivery: string;
  state: 'not accepted' | 'acknowledged' | 'refused';
}

/**
 * The people at their clients: they send by script, retry when the engine is gone, answer
 * questions, cancel.
 */
export class People {
  readonly sent: SentMessage[] = [];
  readonly #world: Surroundings;
  readonly #scope: EventScope;
  readonly #engine: () => EngineCore | undefined;
  readonly #sessions: (string | undefined)[] = [];
  #open = 0;

  constructor(world: Surroundings, engine: () => EngineCore | undefined) {
    this.#world = world;
    this.#scope = world.scheduler.scope('people');
    this.#engine = engine;
  }

  /** True once all people have finished the script. */
  get done(): boolean {
    return this.#open === 0;
  }

  start(acts: readonly PersonAct[]): void {
    for (const act of acts) {
      this.#open += 1;
      this.#scope.later(`${act.act} in session ${act.session}`, () => this.#begin(act), act.at);
    }
  }

  /** A person is asked: approves, denies, ignores it, or answers about another action. */
  asked({ sessionId, approval, hash }: Question): void {
    const { random } = this.#world;
    const answer = random.weighted({ allow: 5, deny: 2, nothing: 1, 'another hash': 1 });
    if (answer === 'nothing') return;
    this.#scope.later(
      `a person says ${answer}`,
      () => {
        const engine = this.#engine();
        if (answer !== 'another hash') return void engine?.decide(approval, sessionId, hash, answer);
        if (engine?.decide(approval, sessionId, 'other', 'allow') === true) {
          this.#world.violated('an answer about another action was taken [A6]');
        }
      },
      random.below(2_000),
    );
  }

  #begin(act: PersonAct): void {
    if (act.act === 'send') {
      void this.#send(act, MAX_TRIES);
      return;
    }
    this.#open -= 1;
    const engine = this.#engine();
    const sessionId = this.#sessions[act.session];
    if (engine === undefined || sessionId === undefined) return;
    if (act.act === 'cancel') this.#cancel(engine, sessionId, act.messageId);
    else void this.#compact(engine, sessionId);
  }

  async #compact(engine: EngineCore, sessionId: string): Promise<void> {
    try {
      await engine.compact(sessionId);
      this.#world.trace.note(`session ${sessionId.slice(-4)} was compacted`);
    } catch (error) {
      const { code } = BulkheadError.from(error);
      const expected = ['busy', 'store_failed', 'cancelled', 'not_running'].includes(code);
      if (!expected && this.#engine() === engine)
        this.#world.violated(`a compaction failed: ${String(error)}`);
    }
  }

  async #send(act: SendAct, tries: number): Promise<void> {
    const { messageId, delivery } = act;
    const engine = this.#engine();
    const sessionId = engine === undefined ? undefined : this.#session(engine, act.session);
    if (engine === undefined || sessionId === undefined) return this.#again(act, tries);
    const sent = this.#sentAs(sessionId, messageId, delivery);
    try {
      const { duplicate } = await engine.send(sessionId, act, this.#listener(engine, messageId));
      if (duplicate !== (sent.state === 'acknowledged') && sent.state === 'acknowledged') {
        this.#world.violated(`message ${messageId} was acknowledged and is not known any more [T2]`);
      }
      sent.state = 'acknowledged';
      this.#world.trace.note(
        `message ${messageId} (${delivery}) is acknowledged${duplicate ? ' again' : ''}`,
      );
    } catch (error) {
      return this.#failed(act, tries, sent, error);
    }
    if (this.#world.random.chance(0.12)) return this.#again(act, 1);
    this.#open -= 1;
  }

  /** Checks that a sender receives events in order, and none after the end of its message [T1]. */
  #listener(engine: EngineCore, messageId: string): Sender {
    let seq = 0;
    let settled = false;
    const wrong = (what: string): void => {
      if (this.#engine() === engine) this.#world.violated(`the sender of ${messageId} was told ${what} [T1]`);
    };
    return {
      sendEvent: (line) => {
        if (settled) wrong(`of ${line.type} after the end of its message`);
        if (!line.ephemeral && seq > 0 && line.seq !== seq + 1) wrong(`of event ${line.seq} after ${seq}`);
        if (!line.ephemeral) seq = line.seq;
        settled = line.settles === messageId;
      },
    };
  }

  #failed(act: SendAct, tries: number, sent: SentMessage, error: unknown): void {
    const { code } = BulkheadError.from(error);
    // An engine that stops, or whose connection is gone, is asked again.
    if (this.#engine() === undefined || FOR_NOW.has(code)) {
      this.#again(act, tries);
      return;
    }
    this.#open -= 1;
    if (code === 'busy' && act.delivery === 'invoke' && sent.state === 'not accepted') sent.state = 'refused';
    else this.#world.violated(`message ${act.messageId} (${act.delivery}) was refused: ${String(error)}`);
  }

  #again(act: SendAct, tries: number): void {
    if (tries === 0) this.#open -= 1;
    else this.#scope.later(`${act.messageId} is sent again`, () => void this.#send(act, tries - 1), AGAIN_MS);
  }

  #session(engine: EngineCore, number: number): string | undefined {
    const known = this.#sessions[number];
    if (known !== undefined && this.#world.disk.store.getSession(known) !== undefined) return known;
    try {
      const made = engine.createSession();
      this.#sessions[number] = made;
      return made;
    } catch (error) {
      // An engine that dies meanwhile says `internal`. Anything else the world did not do on purpose.
      const isDead = this.#engine() !== engine;
      if (!BulkheadError.is(error) || !(isDead || FOR_NOW.has(error.code)))
        this.#world.violated(`no session was made: ${String(error)}`);
      return undefined;
    }
  }

  #sentAs(sessionId: string, messageId: string, delivery: string): SentMessage {
    const known = this.sent.find((message) => message.messageId === messageId);
    if (known !== undefined) return known;
    const sent: SentMessage = { sessionId, messageId, delivery, state: 'not accepted' };
    this.sent.push(sent);
    return sent;
  }

  /**
   * A full disk can't store the cancel: then the person is notified, and the run continues once it
   * can be written.
   */
  #tryCancel(engine: EngineCore, sessionId: string, messageId: string): boolean {
    try {
      const cancelled = engine.cancel(sessionId, messageId);
      if (cancelled) this.#world.cancelled.add(sessionId);
      return cancelled;
    } catch (error) {
      if (BulkheadError.from(error).code !== 'store_failed' && this.#engine() === engine) {
        this.#world.violated(`a cancel was refused: ${String(error)} [T9]`);
      }
      return false;
    }
  }

  #cancel(engine: EngineCore, sessionId: string, messageId: string): void {
    const run = this.#world.trackers.of(sessionId).run;
    const at = this.#world.time.monotonic();
    const cancelled = this.#tryCancel(engine, sessionId, messageId);
    this.#world.trace.note(`cancel of ${messageId || 'what runs'}: ${cancelled}, run ${run?.id.slice(-4)}`);
    if (run === undefined || !cancelled || (messageId !== '' && messageId !== run.message)) return;
    const look = (): void => {
      const still = this.#world.trackers.of(sessionId).run;
      const couldEnd = this.#world.lastRefusal < at - 3 * CANCEL_MS;
      if (still?.id === run.id && this.#engine() === engine && couldEnd) {
        this.#world.violated(`run ${run.id} goes on ${CANCEL_MS} ms after it was cancelled [T9]`);
      }
    };
    this.#scope.later('a second after the cancel', look, CANCEL_MS);
  }
}
