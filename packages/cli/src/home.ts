import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import type { Environment } from './environment.ts';

/** The home this command works on: `BULKHEAD_HOME`, else `~/.bulkhead`. Makes nothing. */
export function homeOf(environment: Pick<Environment, 'env' | 'cwd'>): HomeLayout {
  const named = environment.env['BULKHEAD_HOME'];
  const root =
    named === undefined || named === '' ? `${environment.env['HOME'] ?? homedir()}/.bulkhead` : named;
  return homeLayout(resolve(environment.cwd, root));
}
