import { create } from '@bufbuild/protobuf';
import type { AgentConnection, AgentDirective } from '@bulkhead/agent';
import type { ModelCall, ModelClient } from '@bulkhead/protocol';
import { PromptContextSchema } from '@bulkhead/protocol/agent';
import {
  type AssistantMessage,
  AssistantMessageSchema,
  StopReason,
  UsageSchema,
} from '@bulkhead/protocol/chat';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { coreGroups, coreTools, createToolRegistry } from '@bulkhead/tools';
import type { AgentProcess } from '../pools/agent-pool.ts';
import { RunJournal } from '../run/run-journal.ts';
import type { RunSetting } from '../run/run-setting.ts';
import { LoadedTools } from '../run/tool-loading.ts';
import { SessionLog } from '../session/session-log.ts';

/** A run in a session of a memory store, with an agent that only listens: for tests of what serves an agent. */
export function runStage(answers: readonly AssistantMessage[] = []) {
  let next = 0;
  const clock = { now: () => 1_000, monotonic: () => 0 };
  const ids = () => {
    next += 1;
    return `entry-${next}`;
  };
  const store = createMemorySessionStore();
  store.createSession({ id: 's', workingFolder: '/work', time: 1_000 });
  const log = new SessionLog({ store, clock, ids });
  const body = { content: 'hi' };
  store.append('s', [{ time: 1, turn: '', type: 'input_accepted', visible: false, body, messageId: 'm' }]);
  const journal = new RunJournal({
    log,
    clock,
    sessionId: 's',
    runId: 'r',
    messageId: 'm',
    model: 'p/m',
    free: false,
    leaf: null,
  });
  journal.start('hi');
  const tools = createToolRegistry(coreTools, coreGroups);
  const asked: ModelCall[] = [];
  const setting: RunSetting = {
    sessionId: 's',
    runId: 'r',
    workingFolder: '/work',
    request: 'hi',
    history: [],
    model: scriptedModel(answers, asked),
    loaded: new LoadedTools(tools, ['files']),
    approve: 'deny',
    maxRounds: 2,
    maxOutputTokens: 100,
    prompt: create(PromptContextSchema),
  };
  const sent: AgentDirective[] = [];
  const types = () => log.eventsAfter('s', 0, 1_000).map(({ type }) => type);
  return { clock, ids, log, store, journal, tools, setting, asked, sent, types, agent: listeningAgent(sent) };
}

function scriptedModel(answers: readonly AssistantMessage[], asked: ModelCall[]): ModelClient {
  return {
    name: 'p/m',
    contextWindow: 1_000,
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
    sendModelDelta: () => {},
  };
  return {
    pid: 1,
    connection: connection as unknown as AgentConnection,
    next: async () => undefined,
    kill: () => {},
  };
}
