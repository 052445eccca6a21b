import { create } from '@bufbuild/protobuf';
import { buildTurnPart } from '@bulkhead/agent';
import { TurnContextSchema } from '@bulkhead/protocol/agent';
import { coreGroups, coreTools, createToolRegistry, webGroups, webTools } from '@bulkhead/tools';
import { expect, it } from 'vitest';
import type { ModelSource } from '../models/model-source.ts';
import { sessionStage } from '../testing/session-stage.ts';
import { ContextDesk } from './context-desk.ts';
import { plainMind } from './mind.ts';

/** Counts characters: what is added up is plain to see. */
const counter = { count: async (texts: readonly string[]) => texts.map(({ length }) => length) };
const turn = create(TurnContextSchema, {
  memory: [{ path: 'MEMORY.md', text: 'The cat is Mia.' }],
  now: 'today',
});

it('shows the request that the next run would send, and what the last one took [C7]', async () => {
  const mind = { ...plainMind('test'), lastTurn: () => turn };
  const stage = sessionStage({
    replies: [{ calls: [['ls', {}]] }, { text: 'two files' }, { text: 'again' }],
    services: { mind: { tell: async (question) => ({ ...(await mind.tell(question)), turn }) } },
  });
  const tools = createToolRegistry([...coreTools, ...webTools], [...coreGroups, ...webGroups]);
  const session = stage.create();
  stage.send(session, 'look');
  await stage.settle();
  const models = { client: () => ({ name: 'first/m', contextWindow: 100_000 }) } as unknown as ModelSource;
  const desk = new ContextDesk({
    mind,
    models,
    tools,
    counter,
    sessions: stage.sessions,
    log: stage.log,
    initialGroups: ['files', 'shell'],
  });
  const report = await desk.read({ sessionId: session }, new AbortController().signal);
  stage.send(session, 'more');
  await stage.settle();
  const next = stage.asked.at(-1)?.call;
  const of = (part: string) => report.sections.flatMap((one) => (one.part === part ? [one.tokens] : []));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  // Blank lines stand between the sections.
  expect(sum(of('system')) + 2 * (of('system').length - 1)).toBe(next?.system.length);
  expect(next?.tail).toBe(buildTurnPart(turn));
  const texts = JSON.stringify(next?.messages.slice(0, -1));
  expect(texts).toContain('untrusted_input');
  expect(report.sections.filter(({ part }) => part === 'history').map(({ name }) => name)).toEqual([
    'messages of the person',
    'answers',
    'calls',
    'results of tools',
  ]);
  expect(report.sections.filter(({ part }) => part === 'turn').map(({ name }) => name)).toEqual([
    'memory',
    'date',
  ]);
  expect(report.lastCall).toMatchObject({ model: 'first/m', estimated: false });
  expect(report).toMatchObject({ model: 'first/m', contextWindow: 100_000, vocabulary: 'o200k_base' });
});
