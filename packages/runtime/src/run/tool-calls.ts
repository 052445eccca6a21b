import { type OfferedTool, offeredTool } from '@bulkhead/actions/client-tools/offered-tool';
import {
  LOAD_SKILLS,
  LOAD_TOOLS,
  loadSkillsResult,
  loadToolsResult,
  requestedGroups,
  requestedSkills,
} from '@bulkhead/agent';
import { personsWords } from '@bulkhead/log/session/message-view';
import { WITHHELD_TEXT } from '@bulkhead/log/session/withheld-calls';
import { throwIfSuspended } from '@bulkhead/log/suspension/suspension';
import type { AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import { BulkheadError, type DurableEventBody } from '@bulkhead/protocol';
import type { ToolCall, ToolMessage } from '@bulkhead/protocol/chat';
import type { Round } from './round.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunServices, RunSetting } from './run-setting.ts';

/**
 * The tool calls of one run. A proposal counts only if the model made it; calls that may change something run
 * one after the other, whatever the agent does; every result is recorded before the agent hears of it.
 */
export class ToolCalls {
  readonly #services: RunServices;
  readonly #setting: RunSetting;
  readonly #journal: RunJournal;
  readonly #onRoundEnd: (agent: AgentProcess, signal: AbortSignal) => void;
  #serial: Promise<unknown> = Promise.resolve();
  readonly #refused = new Set<string>();

  /** @param onRoundEnd called with each round's last result recorded, before the agent hears of it */
  constructor(
    services: RunServices,
    setting: RunSetting,
    journal: RunJournal,
    onRoundEnd: (agent: AgentProcess, signal: AbortSignal) => void,
  ) {
    this.#services = services;
    this.#setting = setting;
    this.#journal = journal;
    this.#onRoundEnd = onRoundEnd;
  }

  /** For a run that is taken up again: this call was refused before. */
  noteRefused(callId: string): void {
    this.#refused.add(callId);
  }

  /** True if the last call of `round`, in the model's order, was refused: by protection, policy or a person. */
  refusedLast(round: Round | undefined): boolean {
    const last = round?.lastCallId;
    return last !== undefined && this.#refused.has(last);
  }

  /** @throws BulkheadError `protocol_violation` for a call the model did not make, or made and was proposed before */
  begin(
    round: Round | undefined,
    call: ToolCall | undefined,
    agent: AgentProcess,
    signal: AbortSignal,
  ): Promise<void> {
    if (call === undefined || round === undefined) {
      throw new BulkheadError('protocol_violation', 'the agent proposed a call before any model answer');
    }
    round.propose(call);
    if (round.isWithheld(call.callId)) return this.#withhold(round, call, WITHHELD_TEXT, agent, signal);
    if (round.isCut(call)) return this.#withhold(round, call, cutText(round, call), agent, signal);
    if (call.name === LOAD_TOOLS) return this.#loadTools(round, call, agent, signal);
    if (call.name === LOAD_SKILLS) return this.#loadSkills(round, call, agent, signal);
    if (this.#isSideBySide(call.name)) return this.#act(round, call, agent, signal);
    const turn = this.#serial.then(() => this.#act(round, call, agent, signal));
    this.#serial = turn.catch(() => {});
    return turn;
  }

  /** It changes nothing here, whatever else is under way: it reads, or is done elsewhere. */
  #isSideBySide(name: string): boolean {
    return (
      this.#services.actions.tools.get(name)?.readOnly === true ||
      this.#setting.clientTools?.has(name) === true
    );
  }

  async #loadTools(round: Round, call: ToolCall, agent: AgentProcess, signal: AbortSignal): Promise<void> {
    const loaded = this.#setting.loaded.load(requestedGroups(call));
    const value = this.#journal.toolOutput(round, call, loadToolsResult(call, loaded));
    if (round.finished) this.#onRoundEnd(agent, signal);
    const sideBySide = loaded.tools.filter(({ readOnly }) => readOnly).map(({ name }) => name);
    deliver(agent, value, { sideBySide });
  }

  async #loadSkills(round: Round, call: ToolCall, agent: AgentProcess, signal: AbortSignal): Promise<void> {
    const names = requestedSkills(call);
    const loaded = (await this.#setting.skills?.load(names)) ?? { found: [], unknown: names, known: [] };
    const value = this.#journal.toolOutput(round, call, loadSkillsResult(call, loaded));
    if (round.finished) this.#onRoundEnd(agent, signal);
    deliver(agent, value);
  }

  /** Answers a call that is not made with the reason. */
  async #withhold(
    round: Round,
    call: ToolCall,
    text: string,
    agent: AgentProcess,
    signal: AbortSignal,
  ): Promise<void> {
    const result = this.#journal.toolOutput(round, call, { text, isError: true });
    if (round.finished) this.#onRoundEnd(agent, signal);
    deliver(agent, result);
  }

  async #act(round: Round, call: ToolCall, agent: AgentProcess, signal: AbortSignal): Promise<void> {
    const { sessionId, runId, workingFolder, input, offTheRecord, doubtful, loaded, stopping } =
      this.#setting;
    throwIfSuspended(stopping);
    const { log } = this.#services.context;
    const { pipeline } = this.#services.actions;
    const offered = this.#offered(call);
    const { result, refused, completed } = await pipeline.run(
      {
        sessionId,
        runId,
        callId: call.callId,
        tool: call.name,
        loaded: loaded.has(call.name),
        argumentsJson: call.argumentsJson,
        workingFolder,
        ...(input.origin === undefined ? {} : { origin: input.origin }),
      },
      {
        approve: input.options.approve,
        dryRun: input.options.dryRun,
        requests: personsWords(this.#journal.messages),
        offTheRecord,
        doubtful,
        ...(offered === undefined ? {} : { offered }),
        signal,
        stopping,
        update: (text) => log.ephemeral(sessionId, runId, { type: 'tool_delta', call: call.callId, text }),
        publish: (...events) => this.#journal.publish(...events),
        start: (event, facts) => this.#journal.startAction(event, facts),
        intend: (intent) => this.#journal.intend(intent),
        repeated: (completed) => {
          this.#journal.publish(completed);
          this.#ended(completed);
        },
      },
    );
    if (refused) this.#refused.add(call.callId);
    const value = this.#journal.toolOutput(round, call, result, [completed]);
    this.#ended(completed);
    this.#services.actions.labels?.told(sessionId);
    if (round.finished) this.#onRoundEnd(agent, signal);
    deliver(agent, value, { terminate: result.terminate ?? false });
  }

  #ended(completed: DurableEventBody): void {
    if (completed.type === 'action_completed')
      this.#services.processes.transactions?.recorded(completed.action);
  }

  #offered({ name, callId }: ToolCall): OfferedTool | undefined {
    const { clientCalls } = this.#services.actions;
    const { clientTools, sessionId } = this.#setting;
    const description = clientTools?.get(name);
    if (description === undefined || clientCalls === undefined) return undefined;
    return offeredTool(description, { sessionId, callId }, clientCalls, (event) =>
      this.#journal.publish(event),
    );
  }
}

/** Characters of the arguments' end that show a model where its call was cut. */
const SHOWN_END = 200;

/** For a call that the output limit cut: the model gets the cause and a way to succeed, not a parse error. */
function cutText({ usage }: Round, { name, argumentsJson }: ToolCall): string {
  const tokens = usage.outputTokens > 0 ? ` of ${usage.outputTokens} tokens` : '';
  const end = argumentsJson.slice(-SHOWN_END);
  const arrived =
    argumentsJson === ''
      ? 'None of its arguments arrived.'
      : `${argumentsJson.length} characters of its arguments arrived; they end with: ${end}`;
  return [
    `This call of ${name} was cut off: the answer reached the output limit${tokens}. It was not made.`,
    arrived,
    'Do not repeat the whole call. Write long content in parts: create the file with its first part, then ' +
      'append the next parts, each in a call of its own.',
  ].join('\n');
}

function deliver(
  agent: AgentProcess,
  result: ToolMessage,
  more: { readonly terminate?: boolean; readonly sideBySide?: string[] } = {},
): void {
  agent.connection.send({ case: 'toolResult', value: { result, ...more } });
}
