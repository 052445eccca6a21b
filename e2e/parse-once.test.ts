import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { useStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useStage();

const dist = join(import.meta.dirname, '..', 'dist');
const ENGINE = /\/dist\/(?:chunks\/)?engine[^/]*\.js$/;

interface Report {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { count: number }[];
    }[];
  }[];
}

/** How often each function of the engine's program was called, by V8's own exact count. */
function callsOf(folder: string): (name: string) => number {
  const counts = new Map<string, number>();
  for (const file of readdirSync(folder)) {
    const { result }: Report = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const { functions } of result.filter(({ url }) => ENGINE.test(url)))
      for (const { functionName, ranges } of functions)
        counts.set(functionName, (counts.get(functionName) ?? 0) + (ranges[0]?.count ?? 0));
  }
  return (name) => counts.get(name) ?? 0;
}

/** The engine is the one that people run, with all its rooms: only the model is scripted. */
it('parses each call, reads each command, and redacts and stores each message once', async () => {
  const counts = join(dirname(stage().layout.root), 'counts');
  mkdirSync(counts);
  stage().write('a.txt', 'a');
  await stage().model([
    { toolCalls: [bash('cat a.txt | wc -c && echo of the command')] },
    { toolCalls: [{ name: 'read', args: { path: 'a.txt' } }] },
    // Asks a person, and is checked again after the answer.
    { toolCalls: [{ name: 'write', args: { path: '.vscode/tasks.json', content: '{}' } }] },
    { text: 'the answer' },
  ]);
  // `bulkhead` itself passes this variable on to no program.
  const { code, events } = await stage().cli(
    [join(dist, 'cli.js'), 'run', '--json', '--approve', 'allow', 'go'],
    {
      command: join(dist, 'node'),
      env: { NODE_V8_COVERAGE: counts },
    },
  );
  expect(code).toBe(0);
  expect(ofType(events, 'tool_output').map(({ isError }) => isError)).toEqual([false, false, false]);
  expect(ofType(events, 'approval_requested').length).toBeGreaterThan(0);
  expect((await stage().cli(['stop'])).code).toBe(0);
  const calls = callsOf(counts);
  const messages = ['user', ...Array(3).fill(['assistant', 'tool']).flat(), 'assistant'];
  expect({
    parsed: calls('parseCall'),
    built: calls('buildAction'),
    read: calls('readCommand'),
    walked: calls('walkAll'),
    redacted: calls('redactMessage'),
    answers: calls('redactAnswer'),
  }).toEqual({ parsed: 3, built: 3, read: 1, walked: 1, redacted: messages.length, answers: 4 });
  using database = new DatabaseSync(stage().layout.database, { readOnly: true });
  const bodies = database.prepare('SELECT body FROM records ORDER BY pos').all();
  const stored = bodies.flatMap(({ body }) => {
    const { message }: { message?: object } = JSON.parse(String(body));
    return typeof message === 'object' ? Object.keys(message) : [];
  });
  expect(stored).toEqual(messages);
});
