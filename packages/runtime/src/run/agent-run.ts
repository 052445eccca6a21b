import { runAnswer, thoughtsOf } from '@bulkhead/agent';
import { isRecordFailure } from '@bulkhead/log/context';
import { inCallOrder, userMessage } from '@bulkhead/log/session/message-view';
import { Suspension, suspensionOf, throwIfSuspended } from '@bulkhead/log/suspension/suspension';
import type { AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import { BulkheadError, type EventThought } from '@bulkhead/protocol';
import { type ResponseComplete, RunEnd } from '@bulkhead/protocol/agent';
import { type Thought, ThoughtKind } from '@bulkhead/protocol/chat';
import { Attempts } from './attempts.ts';
import type { RunConclusion } from './end-of-run.ts';
import { type LastRounds, ModelCalls } from './model-calls.ts';
import { ModelChain } from './model-chain.ts';
import { NextAttempt } from './next-attempt.ts';
import { RunConversation } from './run-conversation.ts';
import type { RunJournal } from './run-journal.ts';
import { RunRequests } from './run-requests.ts';
import type { RunServices, RunSetting } from './run-setting.ts';
import { ToolCalls } from './tool-calls.ts';

/** Each death may have cost a model call: a run doesn't go on for ever by dying slowly. */
const MAX_DEATHS = 5;

/** Errors that mean a limit of the run: what was done before stays. */
const LIMITS: ReadonlySet<string> = new Set(['spend_limit', 'answer_limit', 'round_limit']);

/** Where a run that is taken up again stands. */
export interface ResumedRun extends LastRounds {
  /** Calls that were refused before. */
  readonly refused: ReadonlySet<string>;
}

/**
 * One run: gives it to an agent, serves what the agent asks for, goes on in another agent if that one dies, and
 * tries again when the model fails. Decisions come from the engine's own record of the run, never from what an
 * agent says happened.
 */
export class AgentRun {
  readonly #services: RunServices;
  readonly #setting: RunSetting;
  readonly #journal: RunJournal;
  readonly #chain: ModelChain;
  readonly #models: ModelCalls;
  readonly #calls: ToolCalls;
  readonly #attempts: Attempts;
  readonly #next: NextAttempt;
  readonly #conversation: RunConversation;
  readonly #requests: RunRequests;

  /** @param resumed what a run that is taken up again ends in */
  constructor(services: RunServices, setting: RunSetting, journal: RunJournal, resumed?: ResumedRun) {
    this.#services = services;
    this.#setting = setting;
    this.#journal = journal;
    this.#chain = new ModelChain(setting.model, setting.fallbacks, services.models.cooldowns);
    const conversation = new RunConversation({ services, setting, journal, chain: this.#chain });
    this.#conversation = conversation;
    this.#requests = new RunRequests({ services, setting, journal, chain: this.#chain, conversation });
    this.#models = new ModelCalls({
      setting,
      services,
      models: this.#chain,
      journal,
      last: { round: resumed?.round, calling: resumed?.calling },
      onFailure: () => this.#attempts.killSoon(),
      expand: (request) => this.#requests.expand(request),
      conversation,
    });
    this.#calls = new ToolCalls(services, setting, journal, (agent, signal) => this.#steer(agent, signal));
    for (const callId of resumed?.refused ?? []) this.#calls.noteRefused(callId);
    this.#attempts = new Attempts({ services, setting, models: this.#models, calls: this.#calls });
    this.#next = new NextAttempt({ services, setting, journal, chain: this.#chain, conversation });
  }

  /**
   * Runs to the end and returns it; the journal is left well formed whatever happens.
   *
   * @throws Suspension if the engine stops: then the run has no end yet, and the next engine takes it up from the log
   * @throws BulkheadError `store_failed` if the log can't be written: then the run stands still, and what it did is
   *   found out when it is taken up again
   */
  async execute(signal: AbortSignal): Promise<RunConclusion> {
    try {
      return this.#concluded(await this.#untilComplete(signal), signal);
    } catch (error) {
      const known = BulkheadError.from(error);
      if (isRecordFailure(known)) throw known;
      const suspension = suspensionOf(signal);
      if (suspension !== undefined) throw suspension;
      // Something was left without an outcome: a person who cancels now is heard by the next engine, which closes that first.
      if (error instanceof Suspension) throw error;
      return this.#failed(known, signal);
    }
  }

  async #untilComplete(signal: AbortSignal): Promise<ResponseComplete> {
    const { agents } = this.#services.processes;
    const { stopping } = this.#setting;
    // A cut answer at the end of a run that is taken up again: no agent knows how to go on from it.
    this.#dropCutAnswer();
    for (let deaths = 0; deaths <= MAX_DEATHS; ) {
      signal.throwIfAborted();
      throwIfSuspended(stopping);
      const agent = await agents.lease(this.#setting.sessionId, signal);
      const end = await this.#attempts.next(agent, await this.#requests.begin(), signal);
      if (end.kind === 'complete' && this.#isOver(signal)) return end.complete;
      signal.throwIfAborted();
      // Before the failure is counted: an attempt that is not made is not spent.
      throwIfSuspended(stopping);
      if (end.kind === 'failed') {
        this.#models.rewind();
        await this.#next.after(end.error, signal);
      }
      // Without a gain the request goes out as it is: only its provider can say that it is too long.
      if (end.kind === 'crowded') await this.#conversation.shorten('threshold', signal);
      if (end.kind === 'lost') {
        deaths += 1;
        agents.noteDeath(this.#setting.sessionId);
        this.#dropCutAnswer();
      }
    }
    throw new BulkheadError('agent_failed', `the agent died ${MAX_DEATHS + 1} times in this run`, {
      fix: 'See `bulkhead logs`.',
    });
  }

  /** Messages that wait join the run between two rounds; the agent hears of them before it goes on [L8]. */
  #steer(agent: AgentProcess, signal: AbortSignal): void {
    for (const { messageId, content, images, attachments } of this.#take(signal)) {
      const { role } = userMessage(content, images, attachments);
      if (role.case !== 'user') continue;
      agent.connection.send({ case: 'steer', value: { messageId, message: role.value } });
    }
  }

  /**
   * True if the agent's last word is the run's. It isn't while messages join that came during it: then there is
   * one more round.
   *
   * @throws BulkheadError `protocol_violation` for an agent that leaves a message unanswered
   */
  #isOver(signal: AbortSignal): boolean {
    if (signal.aborted) return true;
    if (this.#take(signal).length > 0) return false;
    if (this.#journal.messages.at(-1)?.role.case !== 'user') return true;
    throw new BulkheadError('protocol_violation', 'the agent ended its run without an answer');
  }

  #take(signal: AbortSignal) {
    if (signal.aborted || this.#journal.answers >= this.#setting.maxRounds) return [];
    const { inputs, news } = this.#setting.takeSteers();
    if (inputs.length > 0) this.#journal.merge(inputs, news);
    return inputs;
  }

  #dropCutAnswer(): void {
    if (!this.#models.cut) return;
    this.#journal.rewind();
    this.#models.rewind();
  }

  #concluded(complete: ResponseComplete, signal: AbortSignal): RunConclusion {
    throwIfSuspended(signal);
    if (signal.aborted) return this.#aborted();
    if (complete.end === RunEnd.CANCELLED)
      throw new BulkheadError('protocol_violation', 'the agent ended a run as cancelled that was not');
    const { messages, answers } = this.#journal;
    const run = inCallOrder(messages);
    const isLast = answers > this.#setting.maxRounds;
    const answer = runAnswer(run, isLast ? RunEnd.LIMIT : complete.end, this.#models.cut);
    const answered = { answer, thoughts: eventThoughts(thoughtsOf(run)) };
    if (isLast) {
      this.#closeRound('The run had no rounds left for this call.');
      return { outcome: 'limit', ...answered };
    }
    if (this.#models.round?.finished === false) {
      return this.#failed(
        new BulkheadError('protocol_violation', 'the agent left calls without a result'),
        signal,
      );
    }
    return {
      outcome: this.#calls.refusedLast(this.#models.lastCalling) ? 'blocked' : 'completed',
      ...answered,
    };
  }

  #failed(error: BulkheadError, signal: AbortSignal): RunConclusion {
    if (signal.aborted) return this.#aborted();
    this.#closeRound('The run ended before this call was made.');
    this.#journal.rewind();
    const outcome = LIMITS.has(error.code) ? 'limit' : 'failed';
    return { outcome, answer: '', thoughts: [], error };
  }

  #aborted(): RunConclusion {
    this.#closeRound('Cancelled.');
    return { outcome: 'aborted', answer: '', thoughts: [] };
  }

  /** Every call gets a result, so that the history can be sent to a model again [T9]. */
  #closeRound(text: string): void {
    const { round } = this.#models;
    if (round === undefined || round.finished) this.#journal.failRound();
    for (const call of round?.unanswered() ?? []) {
      if (round !== undefined) this.#journal.toolOutput(round, call, { text, isError: true });
    }
  }
}

/** Thoughts as clients see them [L5]. */
function eventThoughts(thoughts: readonly Thought[]): EventThought[] {
  return thoughts.map(({ kind, summary, toolName, success }) =>
    kind === ThoughtKind.TOOL_CALL
      ? { kind: 'tool_call', summary, detail: { tool_name: toolName, success } }
      : { kind: 'reasoning', summary },
  );
}
