import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ToolResult } from '@bulkhead/protocol';
import { type Exchange, Exchanger } from './exchanger.ts';
import { memoryFolder, TemporaryFolder } from './temporary-folder.ts';
import { ToolBench } from './tool-bench.ts';

/** Outcome of racing the file tools. */
export interface RaceResult {
  readonly attempts: number;
  /** Attempts by tool, and those among them that met the folder, not the link. */
  readonly tools: Readonly<Record<string, { readonly attempts: number; readonly succeeded: number }>>;
  /** Results with content from outside, and changes outside. */
  readonly escapes: readonly string[];
  /** The control: checks the resolved name, then uses the name. */
  readonly naive: { readonly attempts: number; readonly escapes: number };
  readonly means: 'renameat2' | 'rename';
}

const SECRET = 'canary-of-the-outside';
/** The naive check runs once in this many attempts. */
const NAIVE_EVERY = 2;
const LOOK_EVERY = 1_000;

interface Attempt {
  readonly tool: string;
  readonly input: (turn: number) => Readonly<Record<string, unknown>>;
  /** A search runs once in this many turns, because each starts a process. */
  readonly every: number;
}

const LAST_ATTEMPT: Attempt = { tool: 'read', every: 1, input: () => ({ path: 'sub/deep/../f' }) };

const ATTEMPTS: readonly Attempt[] = [
  { tool: 'grep', every: 2_000, input: () => ({ pattern: 'inside|canary', path: '.' }) },
  { tool: 'find', every: 2_001, input: () => ({ pattern: '*', path: 'sub' }) },
  { tool: 'write', every: 31, input: (turn) => ({ path: 'file', content: `inside ${turn}` }) },
  {
    tool: 'write',
    every: 37,
    input: (turn) => ({ path: `sub/made-${turn % 7}/deep/f`, content: `inside ${turn}` }),
  },
  { tool: 'write', every: 17, input: (turn) => ({ path: 'sub/f', content: `inside ${turn} text` }) },
  {
    tool: 'edit',
    every: 7,
    input: (turn) => ({ path: 'sub/f', old_text: 'inside', new_text: `inside ${turn}`.slice(0, 9) }),
  },
  { tool: 'ls', every: 5, input: () => ({ path: 'sub' }) },
  { tool: 'read', every: 2, input: () => ({ path: 'file' }) },
];

const EXCHANGES: readonly Exchange[] = [
  { name: 'sub', spare: 'spare', target: '../outside' },
  { name: 'file', spare: 'trap', target: '../outside/f' },
];

/**
 * Calls the file tools on names that another process exchanges for links to the outside and back
 * (FT10).
 * @param goesOn asked before each attempt; `fooled` counts the naive check's escapes so far
 */
export async function race(goesOn: (attempts: number, fooled: number) => boolean): Promise<RaceResult> {
  using bench = new ToolBench(memoryFolder());
  using build = new TemporaryFolder();
  layOut(bench);
  const before = stateOutside(bench.outside);
  await using exchanger = new Exchanger(bench.root, EXCHANGES, build.path);
  const tally = new Tally();
  let attempts = 0;
  for (; goesOn(attempts, tally.naive.escapes); attempts += 1) {
    const { tool, input } = ATTEMPTS.find(({ every }) => attempts % every === 0) ?? LAST_ATTEMPT;
    tally.add(tool, await bench.run(tool, input(attempts)));
    if (attempts % NAIVE_EVERY === 0) tally.addNaive(readNaively(bench.root, 'sub/f'));
    if (attempts % LOOK_EVERY !== 0) continue;
    tally.addOutside(before === stateOutside(bench.outside));
    if (!exchanger.running) throw new Error('the racer stopped');
    await setImmediate();
  }
  tally.addOutside(before === stateOutside(bench.outside));
  const { tools, escapes, naive } = tally;
  return { attempts, tools, escapes, naive, means: exchanger.means };
}

/** Counts the outcomes of a race. */
class Tally {
  readonly tools: Record<string, { attempts: number; succeeded: number }> = {};
  readonly escapes: string[] = [];
  readonly naive = { attempts: 0, escapes: 0 };

  add(tool: string, { text, isError }: ToolResult): void {
    const seen = this.tools[tool] ?? { attempts: 0, succeeded: 0 };
    this.tools[tool] = { attempts: seen.attempts + 1, succeeded: seen.succeeded + (isError ? 0 : 1) };
    if (text.includes(SECRET)) this.escapes.push(`${tool} told ${text.slice(0, 200)}`);
  }

  addNaive(content: string): void {
    this.naive.attempts += 1;
    this.naive.escapes += content.includes(SECRET) ? 1 : 0;
  }

  addOutside(untouched: boolean): void {
    if (!untouched) this.escapes.push('the outside was changed');
  }
}

function layOut({ root, outside }: ToolBench): void {
  for (const folder of [join(root, 'sub/deep'), join(outside, 'deep')])
    mkdirSync(folder, { recursive: true });
  for (const name of ['sub/f', 'file']) writeFileSync(join(root, name), 'inside\n');
  for (const name of ['f', SECRET]) writeFileSync(join(outside, name), `${SECRET}\n`);
}

/** Names, content and change times show any change there. */
function stateOutside(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .concat('.')
    .map((name) => {
      const { ino, size, mode, ctimeNs } = lstatSync(join(folder, name), { bigint: true });
      return [name, ino, size, mode, ctimeNs].join(' ');
    })
    .join('\n');
}

/** Outcomes that FR5 forbids. */
function readNaively(root: string, name: string): string {
  try {
    const path = join(root, name);
    return realpathSync(path).startsWith(`${root}/`) ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
