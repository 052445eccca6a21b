import { create } from '@bufbuild/protobuf';
import { BulkheadError, type IdSource, type ModelClient } from '@bulkhead/protocol';
import { PromptContextSchema } from '@bulkhead/protocol/agent';
import type { Message } from '@bulkhead/protocol/chat';
import type { ApprovalMode } from '../approvals/approval-desk.ts';
import type { ModelChoice } from '../models/model-source.ts';
import { AgentRun } from '../run/agent-run.ts';
import type { RunConclusion } from '../run/end-of-run.ts';
import { RunJournal } from '../run/run-journal.ts';
import type { RunServices } from '../run/run-setting.ts';
import { groupsLoadedIn, LoadedTools } from '../run/tool-loading.ts';
import { inCallOrder } from './message-view.ts';
import type { WorkingFolders } from './working-folders.ts';

/** A model that takes longer than this leaves time to start a worker; one that doesn't may not need it. */
const PREWARM_AFTER_MS = 100;

/** One accepted message, as its inbox record keeps it. */
export interface AcceptedInput {
  readonly messageId: string;
  readonly content: string;
  readonly options: InputOptions;
}

export interface InputOptions extends ModelChoice {
  readonly approve: ApprovalMode;
  /** 0: as configured. */
  readonly maxRounds: number;
}

export interface ActorServices extends RunServices {
  readonly ids: IdSource;
  readonly folders: WorkingFolders;
  model(choice: ModelChoice): ModelClient;
  readonly limits: { readonly maxRounds: number; readonly maxOutputTokens: number };
  /** Tool groups loaded from the start. */
  readonly initialGroups: readonly string[];
  readonly platform: string;
  /** Starts what the run's first tool call will need, ahead of it. */
  prewarm(sessionId: string, workingFolder: string): void;
}

/**
 * The one owner of a session: takes its accepted messages one after the other, in order, and runs each to
 * its end. Nothing else writes to the session [P9].
 */
export class SessionActor {
  readonly #services: ActorServices;
  readonly #session: { readonly id: string; readonly workingFolder: string };
  #loaded: LoadedTools | undefined;
  readonly #mailbox: AcceptedInput[] = [];
  #running: AbortController | undefined;
  #drained: Promise<void> = Promise.resolve();

  constructor(services: ActorServices, session: { readonly id: string; readonly workingFolder: string }) {
    this.#services = services;
    this.#session = session;
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Takes a message that is in the log already. */
  enqueue(input: AcceptedInput): void {
    this.#mailbox.push(input);
    if (this.#running !== undefined) return;
    // Set before anything is awaited: two callers must not both start draining.
    this.#running = new AbortController();
    this.#drained = this.#drain();
  }

  /** @returns false if nothing was running */
  cancel(): boolean {
    if (this.#running === undefined) return false;
    this.#running.abort();
    return true;
  }

  /** Resolves when everything taken so far is settled. */
  async whenIdle(): Promise<void> {
    await this.#drained;
  }

  async #drain(): Promise<void> {
    try {
      for (;;) {
        const input = this.#mailbox.shift();
        if (input === undefined) return this.#services.log.events(this.#session.id, '', { type: 'idle' });
        const controller = new AbortController();
        this.#running = controller;
        await this.#run(input, controller.signal);
      }
    } finally {
      this.#running = undefined;
    }
  }

  /** Exactly one `settled` for the message, unless the log itself can't be written any more. */
  async #run(input: AcceptedInput, signal: AbortSignal): Promise<void> {
    const { log, clock, ids } = this.#services;
    const runId = ids();
    const { messages, leaf } = log.history(this.#session.id);
    const model = this.#modelFor(input);
    const journal = new RunJournal({
      log,
      clock,
      sessionId: this.#session.id,
      runId,
      messageId: input.messageId,
      model: model instanceof BulkheadError ? '' : model.name,
      free: !(model instanceof BulkheadError) && model.name.startsWith('offline/'),
      leaf,
    });
    journal.start(input.content);
    journal.finish(
      model instanceof BulkheadError
        ? { outcome: 'failed', answer: '', thoughts: [], error: model }
        : await this.#converse(input, journal, runId, inCallOrder(messages), model, signal),
    );
  }

  async #converse(
    input: AcceptedInput,
    journal: RunJournal,
    runId: string,
    history: readonly Message[],
    model: ModelClient,
    signal: AbortSignal,
  ): Promise<RunConclusion> {
    const { limits, platform } = this.#services;
    const { id, workingFolder } = this.#session;
    const run = new AgentRun(
      this.#services,
      {
        sessionId: id,
        runId,
        workingFolder,
        request: input.content,
        history,
        model,
        loaded: this.#loadedAfter(history),
        approve: input.options.approve,
        maxRounds: input.options.maxRounds || limits.maxRounds,
        maxOutputTokens: limits.maxOutputTokens,
        prompt: create(PromptContextSchema, {
          agentName: 'Bulkhead',
          workingFolder,
          sessionId: id,
          platform,
        }),
      },
      journal,
    );
    const timer = setTimeout(() => this.#services.prewarm(id, workingFolder), PREWARM_AFTER_MS);
    try {
      return await run.execute(signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Loaded groups last as long as the session, also over a restart: the history tells which they were [L3]. */
  #loadedAfter(history: readonly Message[]): LoadedTools {
    const { tools, initialGroups } = this.#services;
    this.#loaded ??= new LoadedTools(tools, [...initialGroups, ...groupsLoadedIn(history)]);
    return this.#loaded;
  }

  #modelFor(input: AcceptedInput): ModelClient | BulkheadError {
    try {
      return this.#services.model(input.options);
    } catch (error) {
      return BulkheadError.from(error);
    }
  }
}
