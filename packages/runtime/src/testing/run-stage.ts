import { create } from '@bufbuild/protobuf';
import type { AgentConnection, AgentDirective } from '@bulkhead/agent';
import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import { Ledger } from '@bulkhead/log/ledger/ledger';
import { type AcceptedInput, inputBody } from '@bulkhead/log/session/accepted-input';
import { SessionLog } from '@bulkhead/log/session/session-log';
import { SessionState } from '@bulkhead/log/session/session-state';
import { LoadedTools } from '@bulkhead/log/session/tool-loading';
import type { AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import type { ModelCall, ModelClient, SessionEvent } from '@bulkhead/protocol';
import { PromptContextSchema, TurnContextSchema } from '@bulkhead/protocol/agent';
import {
  type AssistantMessage,
  AssistantMessageSchema,
  StopReason,
  UsageSchema,
} from '@bulkhead/protocol/chat';
import type { ModelCallBody } from '@bulkhead/protocol/records';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { memoryTables } from '@bulkhead/sessions/testing';
import { createRedaction } from '@bulkhead/shield';
import { coreGroups, coreTools, createToolRegistry } from '@bulkhead/tools';
import { Cooldowns, ModelChain } from '../run/model-chain.ts';
import { RunJournal } from '../run/run-journal.ts';
import { noProgress } from '../run/run-progress.ts';
import type { RunSetting } from '../run/run-setting.ts';

/** A message as a person sends it. */
export function sentMessage(messageId: string, fields: Partial<AcceptedInput> = {}): AcceptedInput {
  return {
    messageId,
    content: 'hi',
    images: [],
    delivery: 'follow_up',
    options: { approve: 'deny', maxRounds: 0, dryRun: false, model: '', baseUrl: '' },
    ...fields,
  };
}

/** A model call that used ten tokens, and gave an answer unless said otherwise. */
export const CALL: ModelCallBody = {
  purpose: 'chat',
  model: 'p/m',
  ok: true,
  estimated: false,
  cost: null,
  inputTokens: 10,
  outputTokens: 2,
  cachedInputTokens: 0,
  reasoningTokens: 0,
};

/** A run in a session of a memory store, with an agent that only listens: for tests of what serves an agent. */
export function runStage(answers: readonly AssistantMessage[] = []) {
  let next = 0;
  const clock = { now: () => 1_000, monotonic: () => 0 };
  const ids = () => {
    next += 1;
    return `entry-${next}`;
  };
  const store = createMemorySessionStore();
  store.createSession({ id: 's', workingFolder: '/project', time: 1_000 });
  const redaction = createRedaction([]);
  const log = new SessionLog({ store, clock, ids, redaction });
  const input = sentMessage('m');
  const body = inputBody(input);
  store.append('s', [{ time: 1, turn: '', type: 'input_accepted', visible: false, body, messageId: 'm' }]);
  const journal = new RunJournal({
    log,
    clock,
    sessionId: 's',
    runId: 'r',
    messageId: 'm',
    state: new SessionState(),
    progress: noProgress(null),
    offTheRecord: false,
    boxes: 'on',
  });
  journal.begin([input], []);
  const tools = createToolRegistry(coreTools, coreGroups);
  const asked: ModelCall[] = [];
  const model = scriptedModel(answers, asked);
  const setting: RunSetting = {
    sessionId: 's',
    runId: 'r',
    workingFolder: '/project',
    input,
    offTheRecord: false,
    history: [],
    model,
    fallbacks: [],
    loaded: new LoadedTools(tools, ['files']),
    stopping: new AbortController().signal,
    maxRounds: 2,
    outputLimit: () => 100,
    prompt: create(PromptContextSchema),
    turn: create(TurnContextSchema),
    doubtful: new Set(),
    renewModel: () => undefined,
    takeSteers: () => ({ inputs: [], news: [] }),
  };
  const ledger = new Ledger({
    store,
    time: { believed: () => clock.now() },
    days: createDayTotals(memoryTables()),
    caps: { perDay: undefined, perSession: undefined },
  });
  const chain = new ModelChain(model, [], new Cooldowns(clock, 1_000));
  const sent: AgentDirective[] = [];
  const events = (): SessionEvent[] => log.eventsAfter('s', 0, 1_000).map(({ json }) => JSON.parse(json));
  const types = () => events().map(({ type }) => type);
  const history = () => log.conversation('s', store.getSession('s')?.leaf ?? null, 1_000_000);
  const stage = { redaction, clock, ids, log, store, journal, tools, setting, ledger, chain, asked, sent };
  return { ...stage, events, types, history, agent: listeningAgent(sent) };
}

function scriptedModel(answers: readonly AssistantMessage[], asked: ModelCall[]): ModelClient {
  return {
    name: 'p/m',
    contextWindow: 1_000,
    price: undefined,
    async *stream(call) {
      const message = answers[asked.length] ?? create(AssistantMessageSchema);
      asked.push(call);
      yield { type: 'finish', message, stopReason: StopReason.STOP, usage: create(UsageSchema) };
    },
  };
}

function listeningAgent(sent: AgentDirective[]): AgentProcess {
  const connection = {
    closed: new Promise<void>(() => {}),
    close: async () => {},
    send: (directive: AgentDirective) => sent.push(directive),
  };
  return {
    pid: 1,
    connection: connection as unknown as AgentConnection,
    next: async () => undefined,
    kill: () => {},
  };
}
