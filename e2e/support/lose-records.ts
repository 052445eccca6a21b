import { rmSync } from 'node:fs';
import { isAlive } from '@bulkhead/client';
import type { Stage } from './stage.ts';
import { until } from './until.ts';

/**
 * Makes a session whose log loses its last message: the engine is killed and the write-ahead log taken away, then an engine is started.
 * The model must answer two messages.
 *
 * @returns its id
 */
export async function loseRecords(stage: Stage): Promise<string> {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await stage.cli(args, { timeoutMs: 120_000 });
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  await run('run', 'first');
  const [{ session }] = JSON.parse(await run('sessions', 'list', '--json'));
  await run('stop');
  await run('run', '--session', session, 'second');
  const { supervisor, engine } = await stage.status();
  process.kill(supervisor, 'SIGSTOP');
  process.kill(engine, 'SIGKILL');
  process.kill(supervisor, 'SIGKILL');
  await until('both are gone', async () => !isAlive(engine) && !isAlive(supervisor));
  for (const suffix of ['-wal', '-shm']) rmSync(`${stage.layout.database}${suffix}`);
  await run('start', '--daemon');
  return session;
}
