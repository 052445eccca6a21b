import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { longestFiles, notesProcessorTime } from './processor-time.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-processors-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('counts what a test file and its ended children took', () => {
  const path = join(folder, 'unit.processors');
  const idle = notesProcessorTime(path);
  idle('idle.test.ts');
  const busy = notesProcessorTime(path);
  spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 400_000);']);
  busy('busy.test.ts');
  notesProcessorTime(undefined)('unnoted.test.ts');

  const lines = longestFiles(readFileSync(path, 'utf8'), 10);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\d+\.\d s {2}busy\.test\.ts$/);
  expect(Number.parseFloat(lines[0] ?? '')).toBeGreaterThanOrEqual(0.4);
});

it('names the longest first, and no more than asked', () => {
  expect(longestFiles('1.0 a\n30.5 b\n4.2 c\n', 2)).toEqual(['30.5 s  b', '4.2 s  c']);
  expect(longestFiles('', 2)).toEqual([]);
});
