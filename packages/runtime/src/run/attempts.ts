import type { AgentEvent } from '@bulkhead/agent';
import type { AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import { BulkheadError, type ErrorCode } from '@bulkhead/protocol';
import type { ProcessRequest, ResponseComplete } from '@bulkhead/protocol/agent';
import type { ModelCalls } from './model-calls.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunServices, RunSetting } from './run-setting.ts';
import { RunTasks } from './run-tasks.ts';
import type { ToolCalls } from './tool-calls.ts';

/** How long an agent may take to end a run that is over before it is killed [T9]. */
const END_GRACE_MS = 300;

/** An agent that has nothing to wait for and says nothing for this long, or up to twice as long, is of no use [FG10]. */
const SILENCE_MS = 30_000;

/** What an agent may say went wrong: nothing that is the engine's to know, such as the state of its disk. */
const AGENT_CODES: readonly ErrorCode[] = [
  'agent_failed',
  'cancelled',
  'content_blocked',
  'context_overflow',
  'format_error',
  'protocol_violation',
  'unknown_provider_error',
];

/** What ended one agent's work on the run. */
export type AttemptEnd =
  | { readonly kind: 'complete'; readonly complete: ResponseComplete }
  /** The model gave no answer. */
  | { readonly kind: 'failed'; readonly error: BulkheadError }
  /** The conversation is to be made shorter before the next request. */
  | { readonly kind: 'crowded' }
  /** The agent is gone, or of no more use. */
  | { readonly kind: 'lost' };

/**
 * Serves the agents of one run, one after the other: what they ask for is checked, done and answered here, and what
 * they say of it is believed only where the engine's own record agrees.
 */
export class Attempts {
  readonly #services: Pick<RunServices, 'context' | 'processes'>;
  readonly #setting: RunSetting;
  readonly #journal: RunJournal;
  readonly #models: ModelCalls;
  readonly #calls: ToolCalls;
  readonly #tasks = new RunTasks(() => this.killSoon());
  #agent: AgentProcess | undefined;
  #killTimer: Disposable | undefined;
  /** Events heard of the agent so far. */
  #heard = 0;

  constructor(parts: {
    readonly services: Pick<RunServices, 'context' | 'processes'>;
    readonly setting: RunSetting;
    readonly journal: RunJournal;
    readonly models: ModelCalls;
    readonly calls: ToolCalls;
  }) {
    this.#services = parts.services;
    this.#setting = parts.setting;
    this.#journal = parts.journal;
    this.#models = parts.models;
    this.#calls = parts.calls;
  }

  /**
   * One agent's share of the run. It is over when nothing that was started for it is under way any more.
   *
   * @throws BulkheadError what the run can't go on after
   */
  async next(agent: AgentProcess, request: ProcessRequest, signal: AbortSignal): Promise<AttemptEnd> {
    // Model calls end with the attempt: nobody is left to read them. Actions end only with the run.
    const attempt = new AbortController();
    this.#agent = agent;
    const onAbort = (): void => {
      attempt.abort();
      agent.connection.send({ case: 'cancel', value: { runId: this.#setting.runId } });
      this.killSoon();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    using _watch = this.#watchSilence(agent);
    let end: AttemptEnd = { kind: 'lost' };
    try {
      agent.connection.send({ case: 'process', value: request });
      end = await this.#serve(agent, attempt.signal, signal);
    } catch (error) {
      this.#tasks.fail(error);
      agent.kill();
    } finally {
      signal.removeEventListener('abort', onAbort);
      attempt.abort();
      await this.#tasks.settled();
      this.#killTimer?.[Symbol.dispose]();
      this.#killTimer = undefined;
      this.#agent = undefined;
      this.#recordLate();
      this.#services.processes.agents.release(agent);
    }
    if (this.#tasks.failure !== undefined) throw this.#tasks.failure;
    if (this.#models.takeCrowded()) return { kind: 'crowded' };
    const error = this.#models.takeFailure();
    return error === undefined ? end : { kind: 'failed', error };
  }

  async #serve(agent: AgentProcess, attempt: AbortSignal, run: AbortSignal): Promise<AttemptEnd> {
    for (;;) {
      const event = await agent.next();
      if (event === undefined) return { kind: 'lost' };
      if (this.#tasks.count > 0 || !isTalk(event)) this.#heard += 1;
      if (this.#tasks.failure !== undefined || this.#models.failed) {
        // The attempt has failed, and the agent will say so too: its last word must not be left for the next one.
        if (event.case === 'complete' || event.case === 'error') return { kind: 'lost' };
        continue;
      }
      const end = this.#handle(event, agent, attempt, run);
      if (end !== undefined) return end;
    }
  }

  /** Kills an agent that holds a run up. */
  #watchSilence(agent: AgentProcess): Disposable {
    let timer: Disposable;
    let heard = -1;
    const check = (): void => {
      if (heard === this.#heard && this.#tasks.count === 0) agent.kill();
      heard = this.#heard;
      timer = this.#services.context.timers.after(SILENCE_MS, check);
    };
    timer = this.#services.context.timers.after(SILENCE_MS, check);
    return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
  }

  #handle(
    event: AgentEvent,
    agent: AgentProcess,
    attempt: AbortSignal,
    run: AbortSignal,
  ): AttemptEnd | undefined {
    if (event.case === 'token') return this.#stream({ type: 'text_delta', text: event.value.text });
    if (event.case === 'thinking') return this.#stream({ type: 'thinking_delta', text: event.value.text });
    this.#models.recordAnswer();
    this.#refuseForeign(event);
    switch (event.case) {
      case 'modelRequest':
        this.#tasks.start(this.#models.begin(event.value, agent, attempt));
        return undefined;
      case 'toolCall':
        this.#tasks.start(this.#calls.begin(this.#models.round, event.value.call, agent, run));
        return undefined;
      case 'toolDefsRequest':
        this.#calls.load(this.#models.round, event.value, agent, run);
        return undefined;
      case 'skillLoaded':
        this.#tasks.start(this.#calls.loadSkills(this.#models.round, event.value, agent, run));
        return undefined;
      case 'complete':
        return { kind: 'complete', complete: event.value };
      case 'error':
        return this.#agentError(event.value);
      default:
        throw new BulkheadError(
          'protocol_violation',
          `the agent sent ${event.case}, which this version can't use`,
        );
    }
  }

  #agentError({
    runId,
    code,
    message,
  }: {
    readonly runId: string;
    readonly code: string;
    readonly message: string;
  }): AttemptEnd | undefined {
    // Without a run it answers a directive this agent does not know: no run ends by that.
    if (runId === '') return undefined;
    if (this.#models.failed) return { kind: 'lost' };
    throw new BulkheadError(AGENT_CODES.find((known) => known === code) ?? 'agent_failed', message);
  }

  /** What an agent still says of an answer that has ended, or of none, reaches nobody. */
  #stream(body: { readonly type: 'text_delta' | 'thinking_delta'; readonly text: string }): undefined {
    if (!this.#journal.answering) return;
    this.#services.context.log.ephemeral(this.#setting.sessionId, this.#setting.runId, body);
  }

  /** The end of another run is not this one's. */
  #refuseForeign(event: AgentEvent): void {
    if (event.case !== 'complete' && event.case !== 'error') return;
    const { runId } = event.value;
    if (runId === this.#setting.runId || (event.case === 'error' && runId === '')) return;
    throw new BulkheadError('protocol_violation', 'the agent ended a run it was not given');
  }

  /** An answer the agent did not live to act on is kept: the next agent goes on from it. */
  #recordLate(): void {
    try {
      this.#models.recordAnswer();
    } catch (error) {
      this.#tasks.fail(error);
    }
  }

  /** The attempt is over for the agent: it may end by itself, but not later than this. */
  killSoon(): void {
    const agent = this.#agent;
    if (agent !== undefined)
      this.#killTimer ??= this.#services.context.timers.after(END_GRACE_MS, () => agent.kill());
  }
}

/** Words of an answer: while no call is under way, they bring a run no further. */
function isTalk(event: AgentEvent): boolean {
  return event.case === 'token' || event.case === 'thinking';
}
