import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf } from './stored-session.ts';

/** Ids of the actions that the audit log says were started, read without the engine's code. */
export function startedActions(folder: string): ReadonlySet<string> {
  const started = new Set<string>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.jsonl'))) {
    // An engine may be writing: what follows the last line break is not written yet.
    const lines = readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
    for (const line of lines) {
      const entry = fieldsOf(JSON.parse(line));
      if (entry['step'] === 'STARTED') started.add(String(entry['action']));
    }
  }
  return started;
}
