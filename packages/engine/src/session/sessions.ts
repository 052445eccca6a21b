import { realpathSync, statSync } from 'node:fs';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import * as z from 'zod';
import { refuseUnsafeWorkingFolder } from '../pipeline/protection.ts';
import { endOfRun } from '../run/end-of-run.ts';
import { closeInterrupted } from './close-interrupted.ts';
import { NO_USAGE } from './message-view.ts';
import { noteRecord } from './record-codec.ts';
import { type AcceptedInput, type ActorServices, SessionActor } from './session-actor.ts';

/** A stored message, perhaps by another version: what is missing is the safe choice, what is more is not used. */
const inputSchema = z.object({
  content: z.string(),
  options: z.object({
    approve: z.enum(['deny', 'ask', 'allow']).catch('deny'),
    model: z.string().catch(''),
    baseUrl: z.string().catch(''),
    maxRounds: z.int().min(0).catch(0),
  }),
});

/** Longest message of a person, in characters. */
const MAX_MESSAGE_CHARACTERS = 1_000_000;

/** What became of a message that was sent. */
export interface Acceptance {
  /** Events of this message come after this sequence number. */
  readonly afterSeq: number;
  readonly duplicate: boolean;
}

/** All sessions: makes them, takes messages for them, and keeps one actor for each that is used. */
export class Sessions {
  readonly #services: ActorServices;
  readonly #layout: HomeLayout;
  readonly #actors = new Map<string, SessionActor>();

  constructor(services: ActorServices, layout: HomeLayout) {
    this.#services = services;
    this.#layout = layout;
  }

  /** @throws BulkheadError `usage` for a folder that isn't there, can't be read, or can't be worked in safely */
  create(workingFolder: string): string {
    const folder = existingFolder(workingFolder);
    refuseUnsafeWorkingFolder(folder, this.#layout.root);
    const id = this.#services.ids();
    const time = this.#services.clock.now();
    const { log, folders } = this.#services;
    log.store.createSession({ id, workingFolder: folder, time });
    log.append(id, [folders.note(folder, time)]);
    return id;
  }

  /**
   * Makes a message durable, then hands it to its session. The answer to a `messageId` seen before is that it
   * was: it is never run twice [T2].
   *
   * @throws BulkheadError `not_found` for a session that isn't there, `usage` for an empty or giant message
   */
  accept(sessionId: string, input: AcceptedInput): Acceptance {
    const { log, clock } = this.#services;
    const session = this.#session(sessionId);
    if (input.content.trim() === '') throw new BulkheadError('usage', 'the message is empty');
    if (input.content.length > MAX_MESSAGE_CHARACTERS) {
      throw new BulkheadError('usage', `the message is longer than ${MAX_MESSAGE_CHARACTERS} characters`);
    }
    const known = log.store.findInput(sessionId, input.messageId);
    if (known !== undefined) return { afterSeq: known.afterSeq, duplicate: true };
    const afterSeq = log.store.lastSeq(sessionId);
    const { messageId, content, options } = input;
    log.append(sessionId, [noteRecord(clock.now(), '', 'input_accepted', { content, options }, messageId)]);
    this.#actor(session).enqueue(input);
    return { afterSeq, duplicate: false };
  }

  cancel(sessionId: string): boolean {
    return this.#actors.get(sessionId)?.cancel() ?? false;
  }

  get activeRuns(): number {
    return [...this.#actors.values()].filter((actor) => actor.busy).length;
  }

  /** After a crash: messages that were never started run now, those that were are reported as failed. */
  recover(): void {
    const { log, clock } = this.#services;
    const closed = new Set<string>();
    for (const open of log.store.openInputs()) {
      if (closeInterrupted(log, open, clock.now())) {
        closed.add(open.sessionId);
        continue;
      }
      const input = inputSchema.safeParse(open.body);
      if (input.success) {
        this.#actor(this.#session(open.sessionId)).enqueue({ messageId: open.messageId, ...input.data });
      } else {
        this.#giveUp(open.sessionId, open.messageId);
        closed.add(open.sessionId);
      }
    }
    for (const sessionId of closed) {
      if (this.#actors.get(sessionId)?.busy !== true) log.events(sessionId, '', { type: 'idle' });
    }
  }

  /** Lets runs finish for `graceMs`, then cancels them; resolves when all are settled. */
  async drain(graceMs: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const actor of this.#actors.values()) actor.cancel();
    }, graceMs);
    await Promise.allSettled([...this.#actors.values()].map((actor) => actor.whenIdle()));
    clearTimeout(timer);
  }

  /** One message that can't be read must not keep the others, and the engine, from starting. */
  #giveUp(sessionId: string, messageId: string): void {
    const error = new BulkheadError(
      'store_corrupt',
      'this message was stored in a form this version can not read',
      {
        fix: 'Send it again.',
      },
    );
    const end = endOfRun(messageId, 0, NO_USAGE, null, {
      outcome: 'failed',
      answer: '',
      thoughts: [],
      error,
    });
    this.#services.log.events(
      sessionId,
      '',
      ...end.filter(({ type }) => type === 'error' || type === 'settled'),
    );
  }

  #session(sessionId: string): { readonly id: string; readonly workingFolder: string } {
    const session = this.#services.log.store.getSession(sessionId);
    if (session !== undefined) return session;
    throw new BulkheadError('not_found', `there is no session ${sessionId}`, {
      fix: 'See `bulkhead sessions list`.',
    });
  }

  #actor(session: { readonly id: string; readonly workingFolder: string }): SessionActor {
    const known = this.#actors.get(session.id);
    if (known !== undefined) return known;
    const actor = new SessionActor(this.#services, session);
    this.#actors.set(session.id, actor);
    return actor;
  }
}

/** The folder's real path: what is granted to boxes must be the object, not a name that can be swapped. */
function existingFolder(path: string): string {
  try {
    const folder = realpathSync(path);
    if (statSync(folder).isDirectory()) return folder;
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new BulkheadError('usage', `the working folder ${path} can't be used (${reason})`, {
      fix: 'Give an existing folder you may read, with --cwd.',
      cause,
    });
  }
  throw new BulkheadError('usage', `the working folder ${path} is not a folder`, {
    fix: 'Give a folder with --cwd.',
  });
}
