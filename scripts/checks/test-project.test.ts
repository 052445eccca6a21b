import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CheckContext } from './check.ts';
import { testProject } from './test-project.ts';

const CHECKOUT = dirname(dirname(import.meta.dirname));
const CONFIG = "export default { test: { name: 'unit', include: ['*.test.ts'], maxWorkers: 2 } };\n";
const FAILS =
  "import { expect, it } from 'vitest';\nit('adds [T1]', () => expect(1 + 1).toBe(3));\nit('is', () => {});\n";
const HANGS =
  "import { it } from 'vitest';\nit('hangs', { timeout: 600_000 }, () => new Promise(() => {}));\n";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-checks-')));
  mkdirSync(join(root, 'results'));
  symlinkSync(join(CHECKOUT, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'vitest.config.ts'), CONFIG);
  writeFileSync(join(root, 'fails.test.ts'), FAILS);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(bound: { readonly signal?: AbortSignal; readonly endBy?: number }) {
  const { signal = new AbortController().signal, endBy = Number.POSITIVE_INFINITY } = bound;
  const context: CheckContext = {
    root,
    results: join(root, 'results'),
    env: { ...process.env, NO_COLOR: '1' },
    signal,
    updateSurface: false,
    endBy,
    cpuSeconds: new Map(),
  };
  return testProject('unit', ['unit'], 'mend', 600_000).run(context);
}

it('counts the cases of a run', async () => {
  const result = await run({});
  expect(result).toMatchObject({ passed: 1, failed: 1, skipped: 0, note: '2 cases' });
  expect(result.output).toContain('adds [T1]');
});

it('names the failed cases and the hanging files of a run that is cut', async () => {
  writeFileSync(join(root, 'hangs.test.ts'), HANGS);
  const stop = new AbortController();
  const running = run({ signal: stop.signal });
  const live = () => {
    try {
      return readFileSync(join(root, 'results', 'unit.running'), 'utf8');
    } catch {
      return '';
    }
  };
  // Both are known before the end.
  await expect.poll(live).toMatch(/Still running:\n {2}hangs\.test\.ts\nFailed cases: 1/);
  stop.abort();
  const result = await running;
  expect(result).toMatchObject({ passed: 0, failed: 1 });
  expect(result.output).toContain('Still running:\n  hangs.test.ts\n');
  expect(result.output).toMatch(/fails\.test\.ts > adds \[T1\]: .*expected 2 to be 3/);
});

it('ends in time for the whole to be reported', async () => {
  const result = await run({ endBy: performance.now() + 1 });
  expect(result).toMatchObject({ passed: 0, failed: 1 });
  expect(result.output).toContain('No test file has started.');
});
