import type { AgentEvent } from '@bulkhead/agent';
import type { AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import { BulkheadError, type ErrorCode, errorCode } from '@bulkhead/protocol';
import {
  type AgentError,
  type ProcessRequest,
  type ResponseComplete,
  RunEnd,
} from '@bulkhead/protocol/agent';
import type { ModelCalls } from './model-calls.ts';
import type { RunServices, RunSetting } from './run-setting.ts';
import type { ToolCalls } from './tool-calls.ts';

/** How long an agent may take to end a run that is over before it is killed [T9]. */
const END_GRACE_MS = 300;

/** An agent that has nothing to wait for and says nothing for this long, or up to twice as long, is of no use [FG10]. */
const SILENCE_MS = 30_000;

/**
 * The errors that an agent may report, in the engine's words: none about facts that only the engine
 * knows, such as the state of its disk.
 */
const AGENT_ERRORS: Readonly<Partial<Record<ErrorCode, string>>> = {
  cancelled: 'the agent says that the run was cancelled',
  context_overflow: 'the agent has a call that is larger than the engine accepts',
  format_error: 'the agent found the calls of the model malformed',
  protocol_violation: 'the agent was not answered as it should be',
  unknown_provider_error: 'the provider ended the answer with an error',
};

/** The end of one agent's work on the run. */
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
    readonly models: ModelCalls;
    readonly calls: ToolCalls;
  }) {
    this.#services = parts.services;
    this.#setting = parts.setting;
    this.#models = parts.models;
    this.#calls = parts.calls;
  }

  /**
   * One agent's share of the run. It is over when nothing that was started for it is under way any more.
   *
   * @throws BulkheadError what the run can't go on after
   */
  async next(agent: AgentProcess, request: ProcessRequest, signal: AbortSignal): Promise<AttemptEnd> {
    // Model calls end with the attempt, since their reader is gone. Actions end only with the run.
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
      if (event === undefined) {
        // The pool forgets an agent once its connection is closed: until then it would hand this one out again.
        agent.kill();
        await agent.connection.closed;
        return { kind: 'lost' };
      }
      this.#heard += 1;
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
    this.#refuseForeign(event);
    switch (event.case) {
      case 'modelRequest':
        this.#tasks.start(this.#models.begin(event.value, agent, attempt));
        return undefined;
      case 'toolCall':
        this.#tasks.start(this.#calls.begin(this.#models.round, event.value.call, agent, run));
        return undefined;
      case 'complete':
        if (event.value.end !== RunEnd.CONTEXT_FULL) return { kind: 'complete', complete: event.value };
        throw new BulkheadError('protocol_violation', 'the agent gave up a conversation that has room');
      case 'error':
        throw agentError(event.value);
    }
  }

  /** The end of another run is not this one's. */
  #refuseForeign(event: AgentEvent): void {
    if (event.case !== 'complete' && event.case !== 'error') return;
    if (event.value.runId === this.#setting.runId) return;
    throw new BulkheadError('protocol_violation', 'the agent ended a run it was not given');
  }

  /** The attempt is over for the agent: it may end on its own, but not later than this. */
  killSoon(): void {
    const agent = this.#agent;
    if (agent !== undefined)
      this.#killTimer ??= this.#services.context.timers.after(END_GRACE_MS, () => agent.kill());
  }
}

function agentError({ code }: AgentError): BulkheadError {
  const known = errorCode(code);
  const message = known === undefined ? undefined : AGENT_ERRORS[known];
  if (known !== undefined && message !== undefined) return new BulkheadError(known, message);
  return new BulkheadError('agent_failed', 'the agent could not finish the run');
}

/**
 * Work that a run has started and not finished. The first failure is kept and becomes the run's;
 * `onFailure` reports it to the code that waits for the agent.
 */
class RunTasks {
  readonly #open = new Set<Promise<void>>();
  readonly #onFailure: () => void;
  #failure: BulkheadError | undefined;

  constructor(onFailure: () => void) {
    this.#onFailure = onFailure;
  }

  get failure(): BulkheadError | undefined {
    return this.#failure;
  }

  /** How many are under way. */
  get count(): number {
    return this.#open.size;
  }

  start(work: Promise<void>): void {
    const task = work.catch((error: unknown) => this.fail(error));
    this.#open.add(task);
    void task.finally(() => this.#open.delete(task));
  }

  fail(error: unknown): void {
    this.#failure ??= BulkheadError.from(error);
    this.#onFailure();
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }
}
