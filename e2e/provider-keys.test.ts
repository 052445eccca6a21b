import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

it('a key of a shell does not count while an engine without it runs, which is said, and does after a restart there [I1] [I5]', async () => {
  const server = await stage().model(() => ({ text: 'done' }), { chat: 'apiKeyEnv: MY_KEY,' });
  const env = { MY_KEY: 'sk-of-this-shell-0123456789' };
  const sent = () => server.requests.at(-1)?.headers['authorization'];
  await stage().cli(['start', '--daemon']);
  const first = await stage().cli(['run', 'hi'], { env });
  expect(first.stderr).toContain(
    'note: MY_KEY of this shell is not used: the engine was started without it.',
  );
  expect(first.stderr).toContain('`bulkhead restart` here applies it');
  expect(server.requests).toHaveLength(0);
  const restarted = await stage().cli(['restart'], { env });
  expect(restarted).toMatchObject({ code: 0, stderr: '' });
  expect(restarted.stdout).toMatch(/^restarted with MY_KEY of this shell \(process \d+\)\n$/);
  // It is the engine's now: from any shell, and after a crash.
  expect(await stage().cli(['run', 'hi'])).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  expect(sent()).toBe(`Bearer ${env.MY_KEY}`);
  await stage().killEngine();
  expect(await stage().cli(['run', 'hi'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(sent()).toBe(`Bearer ${env.MY_KEY}`);
  // Another one takes its place; a shell without one changes nothing.
  await stage().cli(['restart'], { env: { MY_KEY: 'sk-another-9876543210' } });
  await stage().cli(['restart']);
  await stage().cli(['run', 'hi']);
  expect(sent()).toBe('Bearer sk-another-9876543210');
  for (const name of ['engine.log', 'supervisor.log'])
    expect(readFileSync(join(stage().layout.logs, name), 'utf8')).not.toMatch(/sk-(?:of-this|another)/);
});
