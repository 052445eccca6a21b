import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redactor } from '@bulkhead/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OutputFile } from './output-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Holds back what may become `0-secret`, as far as it is asked here. */
function redactor(): Redactor {
  let held = '';
  return {
    push(chunk) {
      const text = (held + chunk).replaceAll('0-secret', '[redacted]');
      held = /0(?:-s?e?c?r?e?)?$/.exec(text)?.[0] ?? '';
      return text.slice(0, text.length - held.length);
    },
    rest: () => (held.length > 2 ? '' : held),
    end: () => held,
  };
}

it('has the last characters that a command printed, also if they may begin a secret, and no secret [A7]', async () => {
  const path = join(folder, 'output.txt');
  const file = new OutputFile(path, 1_000, redactor());
  const seen: string[] = [];
  for (const part of ['port 300', '0', '0-', 'sec', 'ret\n', 'port 0']) {
    await file.append(Buffer.from(part));
    seen.push(readFileSync(path, 'utf8'));
  }
  expect(seen).toEqual([
    'port 300',
    'port 3000',
    'port 30000-',
    'port 3000',
    'port 3000[redacted]\n',
    'port 3000[redacted]\nport 0',
  ]);
  await file.close();
  expect(readFileSync(path, 'utf8')).toBe('port 3000[redacted]\nport 0');
});
