import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';

/**
 * The home of a program: `BULKHEAD_HOME`, else `~/.bulkhead`. Creates nothing.
 *
 * @param program.cwd absolute path as base of a relative `BULKHEAD_HOME`
 */
export function homeOf({
  env,
  cwd,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}): HomeLayout {
  const named = env['BULKHEAD_HOME'];
  const root = named === undefined || named === '' ? `${env['HOME'] ?? homedir()}/.bulkhead` : named;
  return homeLayout(resolve(cwd, root));
}
