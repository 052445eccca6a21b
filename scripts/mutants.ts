/*
 * `npm run mutants -- [--count 100] [--seed 1] [--only PATH] [--skip N] [--list]`: breaks the
 * product's code in one random place at a time and runs the unit tests near it: those beside the
 * file, those that import it, then all that depend on it. Prints which changes no test noticed.
 * Works in a copy of the last commit, `.cache/mutants`.
 */
import { rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runProgram } from './checks/run-program.ts';
import { sourceFiles } from './checks/source-files.ts';
import { type Mutation, mutationsOf } from './mutants/mutations.ts';
import { withoutNpm } from './set-up/environment.mjs';

/** A test that takes longer hangs, unless it also does without the mutant. */
const NEAR_MS = 120_000;
const FAR_MS = 420_000;
const PRODUCT = /^packages\/(?!testkit\/)[^/]+\/src\/.*(?<!\.test|\.child|\.d)\.ts$/;
const NOT_PRODUCT = /\/(simulation|testing|training|evaluation|fuzz|attacks?|fixtures)\//;

interface Mutant extends Mutation {
  readonly path: string;
  readonly line: number;
  readonly before: string;
}

const root = dirname(import.meta.dirname);
const copy = join(root, '.cache', 'mutants');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    skip: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
});
const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
const given = withoutNpm(process.env);
// The test runner runs on this Node.js, too.
const env = { ...given, NO_COLOR: '1', PATH: [dirname(process.execPath), given['PATH']].join(delimiter) };
const mutants = (await chooseMutants()).slice(Number(values.skip));

if (values.list) for (const mutant of mutants) say(`${nameOf(mutant)}`);
else await main();

async function main(): Promise<void> {
  await makeCopy();
  const survived: Mutant[] = [];
  let tried = 0;
  try {
    for (const mutant of mutants) {
      const caught = await tryMutant(mutant);
      if (controller.signal.aborted) break;
      tried += 1;
      if (caught === undefined) survived.push(mutant);
      say(
        `${tried}/${mutants.length} ${caught === undefined ? 'SURVIVED' : `caught ${caught}`}  ${nameOf(mutant)}`,
      );
    }
  } finally {
    await program('git', ['worktree', 'remove', '--force', copy], root, 60_000);
  }
  say(`${tried - survived.length} of ${tried} caught, seed ${values.seed}`);
  for (const mutant of survived) say(`survived: ${nameOf(mutant)}`);
  if (survived.length > 0) process.exitCode = 1;
}

/** Each place of the product's code is equally likely. */
async function chooseMutants(): Promise<readonly Mutant[]> {
  const paths = (await sourceFiles(root, PRODUCT)).filter(
    (path) => !NOT_PRODUCT.test(path) && path.includes(values.only),
  );
  const all: Mutant[] = [];
  for (const path of paths) {
    const text = await readFile(join(root, path), 'utf8');
    for (const mutation of mutationsOf(path, text)) {
      const line = text.slice(0, mutation.start).split('\n').length;
      all.push({ ...mutation, path, line, before: text.slice(mutation.start, mutation.end) });
    }
  }
  const random = randomFrom(Number(values.seed));
  const chosen = new Set<Mutant>();
  while (chosen.size < Math.min(Number(values.count), all.length)) {
    const mutant = all[Math.floor(random() * all.length)];
    if (mutant !== undefined) chosen.add(mutant);
  }
  say(`${all.length} places in ${paths.length} files`);
  return [...chosen];
}

/** The last commit, with its own links from package to package. */
async function makeCopy(): Promise<void> {
  await mkdir(dirname(copy), { recursive: true });
  rmSync(copy, { recursive: true, force: true });
  await program('git', ['worktree', 'prune'], root, 60_000);
  const added = await program('git', ['worktree', 'add', '--detach', copy, 'HEAD'], root, 120_000);
  const linked = await program('cp', ['-al', 'node_modules', copy], root, 120_000);
  if (added.code !== 0 || linked.code !== 0) throw new Error(`${added.output}${linked.output}`);
}

/** @returns how the mutant was noticed */
async function tryMutant(mutant: Mutant): Promise<string | undefined> {
  const near = await nearTests(mutant.path);
  const first = near.length === 0 ? 'passes' : await testWith(mutant, ['run', ...near], NEAR_MS);
  if (first !== 'passes') return `near, ${first}`;
  const then = await testWith(mutant, ['related', '--run', mutant.path], FAR_MS);
  return then === 'passes' ? undefined : `far, ${then}`;
}

/** @param ill Files that also fail without the mutant: they are left out. */
async function testWith(
  mutant: Mutant,
  args: readonly string[],
  timeoutMs: number,
  ill: readonly string[] = [],
): Promise<string> {
  const options = [...args, ...ill.flatMap((one) => ['--exclude', one])];
  const { outcome, failed } = await testBroken(mutant, options, timeoutMs);
  if (outcome === 'passes') return outcome;
  const control = await test(failed.length === 0 ? options : ['run', ...failed], timeoutMs);
  if (control.outcome === 'passes') return `${outcome} ${failed.join(' ')}`;
  if (outcome === 'hangs') return 'passes';
  const alsoIll = control.failed.filter((one) => !ill.includes(one));
  if (alsoIll.length === 0) throw new Error(`no test runs without a mutant: ${options.join(' ')}`);
  return await testWith(mutant, args, timeoutMs, [...ill, ...alsoIll]);
}

async function testBroken(mutant: Mutant, args: readonly string[], timeoutMs: number) {
  const file = join(copy, mutant.path);
  const text = await readFile(file, 'utf8');
  if (text.slice(mutant.start, mutant.end) !== mutant.before) throw new Error(`commit ${mutant.path} first`);
  await writeFile(file, text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end));
  return await test(args, timeoutMs).finally(() => writeFile(file, text));
}

async function test(args: readonly string[], timeoutMs: number) {
  const vitest = join(copy, 'node_modules', '.bin', 'vitest');
  const options = ['--project', 'unit', '--bail=1', '--passWithNoTests'];
  const { code, output } = await program(vitest, [...args, ...options], copy, timeoutMs);
  const failed = new Set([...output.matchAll(/FAIL +\S+ +(\S+\.test\.ts)/g)].map(([, file = '']) => file));
  const outcome = output.includes('\nStopped: ') ? 'hangs' : code === 0 ? 'passes' : 'fails';
  return { outcome, failed: [...failed] } as const;
}

/** Tests of the folder, and those of the package that import the file by name. */
async function nearTests(path: string): Promise<readonly string[]> {
  const pattern = `/${basename(path)}'`;
  const root = path.split('/').slice(0, 3).join('/');
  const found = await program('git', ['grep', '-lF', pattern, '--', `${root}/**/*.test.ts`], copy, 30_000);
  const beside = await program('git', ['ls-files', `:(glob)${dirname(path)}/*.test.ts`], copy, 30_000);
  return [...new Set([...found.stdout.split('\n'), ...beside.stdout.split('\n')])].filter(
    (one) => one !== '',
  );
}

function program(command: string, args: readonly string[], cwd: string, timeoutMs: number) {
  return runProgram(command, args, { cwd, env, signal: controller.signal, timeoutMs });
}

function nameOf({ path, line, kind, before, replacement }: Mutant): string {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 70);
  return `${path}:${line} ${kind}: ${short(before)} -> ${short(replacement)}`;
}

/** mulberry32: the same seed gives the same numbers, at least 0 and below 1, on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
