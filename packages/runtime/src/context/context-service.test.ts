import { create } from '@bufbuild/protobuf';
import { buildTurnPart } from '@bulkhead/agent';
import { groupList } from '@bulkhead/log/session/tool-loading';
import { ContextService } from '@bulkhead/mind/context/context-service';
import type { SkillSource } from '@bulkhead/mind/skills/skill-source';
import { plainMind, requestSections, skillStage, UNLABELLED } from '@bulkhead/mind/testing';
import type { ModelSource } from '@bulkhead/processes/models/model-source';
import { TurnContextSchema } from '@bulkhead/protocol/agent';
import { coreTools, createToolRegistry, everyGroup, toolsOf } from '@bulkhead/tools';
import { expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

/** Counts characters: what is added up is plain to see. */
const counter = { count: async (texts: readonly string[]) => texts.map(({ length }) => length) };
const turn = create(TurnContextSchema, {
  memory: [{ path: 'MEMORY.md', text: 'The cat is Mia.' }],
  now: 'today',
});

it('shows the request that the next run would send, and what the last one took [C7]', async () => {
  const mind = { ...plainMind('test'), lastTurn: () => turn };
  using home = skillStage();
  const source: { now?: SkillSource } = {};
  const skills: Pick<SkillSource, 'forRun'> = {
    forRun: async (...run) => await (source.now ?? unopened()).forRun(...run),
  };
  const stage = sessionStage({
    replies: [
      { calls: [['load_skills', { names: ['tidy-notes'] }]] },
      { calls: [['ls', {}]] },
      { text: 'two files' },
      { text: 'again' },
      { text: 'and again' },
    ],
    mind: { skills, tell: async (question) => ({ ...(await mind.tell(question)), turn }) },
  });
  const tools = createToolRegistry([...coreTools, ...toolsOf('web')], everyGroup);
  source.now = home.open().forSessions(stage.log, UNLABELLED).source;
  const session = stage.create();
  stage.send(session, 'look');
  await stage.settle();
  const models = { client: () => ({ name: 'first/m', contextWindow: 100_000 }) } as unknown as ModelSource;
  const service = new ContextService({
    mind,
    models,
    tools,
    counter,
    sessions: stage.sessions,
    log: stage.log,
    skills,
    initialGroups: ['files', 'shell'],
  });
  const bare = (await mind.tell({ sessionId: '', workingFolder: '', offTheRecord: false, message: '' }))
    .prompt;
  const nothing = { groups: groupList(tools), tools: [], history: [], skills: [], contextWindow: 0 };
  const report = await service.read({ sessionId: session }, new AbortController().signal);
  stage.send(session, 'more');
  await stage.settle();
  const next = stage.asked.at(-1)?.call;
  const of = (part: string) => report.sections.flatMap((one) => (one.part === part ? [one.tokens] : []));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  // Blank lines stand between the sections.
  expect(sum(of('system')) + 2 * (of('system').length - 1)).toBe(next?.system.length);
  const loadSkills = next?.tools.find(({ name }) => name === 'load_skills');
  const meta = report.sections.find(({ name }) => name === 'meta')?.tokens ?? 0;
  const loadTools = requestSections({ prompt: bare, turn }, nothing).find(({ name }) => name === 'meta');
  expect(meta - (loadTools?.text.length ?? 0)).toBeGreaterThan(loadSkills?.inputSchemaJson.length ?? 0);
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
  expect(report.sections.find(({ name }) => name === 'skills')?.tokens).toBeGreaterThan(100);
  expect(report.lastCall).toMatchObject({ model: 'first/m', estimated: false });
  expect(report).toMatchObject({ model: 'first/m', contextWindow: 100_000, vocabulary: 'o200k_base' });
  // The part that a compaction removes from the conversation is sent again, and counted.
  const leaf = stage.store.getSession(session)?.leaf ?? null;
  const { id, record } = stage.log.mark(leaf, (own) => ({
    type: 'compaction',
    body: { summary: 'short', keptFrom: own },
  }));
  stage.log.append(session, [record], { leaf: id });
  const after = await service.read({ sessionId: session }, new AbortController().signal);
  stage.send(session, 'go on');
  await stage.settle();
  const restored = stage.asked.at(-1)?.call.messages[0]?.role;
  const told = after.sections.find(({ name }) => name === 'skills loaded before')?.tokens;
  expect(told).toBe(restored?.case === 'user' ? restored.value.text.length : undefined);
});

function unopened(): never {
  throw new Error('not opened');
}
