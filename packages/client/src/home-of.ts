import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';

/**
 * The home a program works on: `BULKHEAD_HOME`, else `~/.bulkhead`. Makes nothing.
 *
 * @param program.cwd absolute path that a relative `BULKHEAD_HOME` starts from
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
