import { expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const SECRET = `the key is sk-ant-api03-${'aB3'.repeat(10)}`;

/** @param typed at the question; absent if there is no terminal */
async function add(argv: readonly string[], typed?: string) {
  using home = testHome();
  const engine = new ScriptedEngine(home.layout, noScript);
  const written: string[] = [];
  engine.answers = {
    addMemory: ({ text }) => {
      written.push(text);
      return { path: 'MEMORY.md', added: [text], actionId: 'ACTION' };
    },
  };
  await engine.listen();
  const terminal = typed === undefined ? [] : (['stdin', 'stdout', 'stderr'] as const);
  const environment = testEnvironment(home.layout, { terminal: [...terminal] });
  const called = dispatch(['memory', 'add', ...argv], environment);
  if (typed !== undefined) void environment.until('[y/N]').then(() => environment.stdin.write(typed));
  const code = await called;
  await engine.close();
  return { code, written, out: environment.out(), err: environment.err() };
}

it('memory add says where a line stands now, and how to take it back', async () => {
  expect(await add(['tea', 'is', 'green'])).toEqual({
    code: 0,
    written: ['tea is green'],
    out: 'remembered in MEMORY.md:\n+ tea is green\n',
    err: 'undo with: bulkhead chronicle rollback ACTION\n',
  });
  expect(JSON.parse((await add(['tea', '--json'])).out)).toMatchObject({
    path: 'MEMORY.md',
    action: 'ACTION',
  });
});

it('memory add asks before it keeps a possible secret; without confirmation it writes nothing', async () => {
  const refused = await add([SECRET]);
  expect(refused).toMatchObject({ code: 3, written: [], out: '' });
  expect(refused.err).toContain('This looks like a secret (anthropic-key)');
  expect(refused.err).toContain('add --yes to keep it anyway\nnothing was written\n');
  expect(await add([SECRET], '\n')).toMatchObject({ code: 3, written: [] });
  expect(await add([SECRET], 'y\n')).toMatchObject({ code: 0, written: [SECRET] });
  expect(await add([SECRET, '--yes'])).toMatchObject({ code: 0, written: [SECRET] });
});
