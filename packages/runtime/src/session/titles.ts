import { create } from '@bufbuild/protobuf';
import type { Ledger } from '@bulkhead/log/ledger/ledger';
import type { ModelChoice } from '@bulkhead/log/session/accepted-input';
import { textOf } from '@bulkhead/log/session/message-view';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { sideCall } from '@bulkhead/processes/models/side-call';
import { faultPoint, type ModelCall, type ModelClient } from '@bulkhead/protocol';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';

/** A session gets a title once it has this many messages: after the third exchange [T7]. */
const MIN_MESSAGES = 6;
const MAX_TITLE_CHARACTERS = 60;
/** A title needs the drift of the talk, not all of it. */
const MAX_BYTES = 8_000;
const MAX_TRIES = 3;
const MAX_OUTPUT_TOKENS = 60;

const SYSTEM =
  'You name conversations. Answer with a title of two to six words for the conversation you are shown, in its language, and nothing else.';

/** Gives sessions their titles, beside whatever else goes on: no turn waits for it. */
export class Titles {
  readonly #log: SessionLog;
  readonly #ledger: Ledger;
  readonly #model: (choice: ModelChoice) => ModelClient;
  readonly #now: () => number;
  readonly #stop = new AbortController();
  readonly #tries = new Map<string, number>();
  readonly #working = new Map<string, Promise<void>>();

  constructor(parts: {
    readonly log: SessionLog;
    readonly ledger: Ledger;
    /** The model of the role `title`. */
    readonly model: (choice: ModelChoice) => ModelClient;
    readonly now: () => number;
  }) {
    this.#log = parts.log;
    this.#ledger = parts.ledger;
    this.#model = parts.model;
    this.#now = parts.now;
  }

  /**
   * Starts to make a title for a session that should have one and has none.
   *
   * @param choice the model of the conversation, which names it where no other is configured
   */
  consider(sessionId: string, choice: ModelChoice): void {
    const session = this.#log.store.getSession(sessionId);
    const tries = this.#tries.get(sessionId) ?? 0;
    if (session === undefined || session.title !== '' || session.offTheRecord) return;
    if (session.messages < MIN_MESSAGES || tries >= MAX_TRIES || this.#working.has(sessionId)) return;
    this.#tries.set(sessionId, tries + 1);
    // A session without a title has nothing wrong with it: the next exchange tries again.
    const work = this.#make(sessionId, session.leaf, choice).catch(() => {});
    this.#working.set(sessionId, work);
    void work.finally(() => this.#working.delete(sessionId));
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#working.values());
  }

  async #make(sessionId: string, leaf: string | null, choice: ModelChoice): Promise<void> {
    const model = this.#model(choice);
    const messages = this.#log.conversation(sessionId, leaf, MAX_BYTES);
    const call: ModelCall = {
      system: SYSTEM,
      messages: [asOneMessage(messages)],
      tools: [],
      forbidTools: true,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    };
    const services = { log: this.#log, ledger: this.#ledger, now: this.#now };
    const title = model.name.startsWith('offline/')
      ? tidy(firstWords(messages))
      : tidy(await sideCall(services, 'title', sessionId, model, call, this.#stop.signal));
    if (title === '' || this.#stop.signal.aborted) return;
    if (this.#log.store.getSession(sessionId)?.title !== '') return;
    const { record } = this.#log.mark(leaf, { type: 'session_title', body: { title } });
    faultPoint('title.before');
    this.#log.append(sessionId, [record], { title });
    faultPoint('title.after');
  }
}

/** The talk as text: what is in it is to be named, not to be answered or obeyed. */
function asOneMessage(messages: readonly Message[]): Message {
  const lines = messages.flatMap((message) =>
    message.role.case === 'tool' ? [] : [`${message.role.case}: ${textOf(message).slice(0, 500)}`],
  );
  const text = `<conversation>\n${lines.join('\n')}\n</conversation>`;
  return create(MessageSchema, { role: { case: 'user', value: { text } } });
}

function firstWords(messages: readonly Message[]): string {
  const first = messages.find(({ role }) => role.case === 'user');
  return first === undefined ? '' : textOf(first).split(/\s+/).slice(0, 8).join(' ');
}

function tidy(text: string): string {
  const line = text.replaceAll(/\p{C}/gu, ' ').replaceAll(/\s+/g, ' ').trim();
  const bare = line.replace(/^["'“”«»*#\s]+|["'“”«»*.\s]+$/gu, '');
  return [...bare].slice(0, MAX_TITLE_CHARACTERS).join('').trim();
}
