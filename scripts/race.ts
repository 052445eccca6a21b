/*
 * `npm run race -- [--attempts N] [--paths N] [--seed N] [--processes N]`: runs many calls of the
 * file tools on names that another process exchanges for links to the outside (FT10), and compares
 * many random paths with a resolver without a file system (FT11). Exit code 1 after an escape or a
 * difference, or if a naive check was never fooled.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

interface RaceResult {
  readonly attempts: number;
  readonly tools: Readonly<Record<string, { readonly attempts: number; readonly succeeded: number }>>;
  readonly escapes: readonly string[];
  readonly naive: { readonly attempts: number; readonly escapes: number };
  readonly means: string;
}

interface FuzzResult {
  readonly paths: number;
  readonly meanings: Readonly<Record<string, number>>;
  readonly differences: readonly object[];
}

const CHILD = `${import.meta.dirname}/../packages/tools/src/testing/race.child.ts`;

const { values } = parseArgs({
  options: {
    attempts: { type: 'string', default: '1000000' },
    paths: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: String(Math.min(availableParallelism(), 8)) },
  },
});

const processes = Number(values.processes);

async function inChild<Result>(what: 'race' | 'paths', count: number, seed: number): Promise<Result> {
  // The code made from the wire contract has enums, which are more than types.
  const node = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...node, CHILD, what, String(count), String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return JSON.parse(text);
}

function shared<Result>(what: 'race' | 'paths', total: number): Promise<Result[]> {
  const share = (place: number) => Math.floor(total / processes) + (place < total % processes ? 1 : 0);
  const places = Array.from({ length: processes }, (_, place) => place).filter((place) => share(place) > 0);
  return Promise.all(places.map((place) => inChild<Result>(what, share(place), Number(values.seed) + place)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function tellRaces(races: readonly RaceResult[]): boolean {
  if (races.length === 0) return true;
  const escapes = races.flatMap((one) => one.escapes);
  const naive = sum(races.map((one) => one.naive.escapes));
  const means = races[0]?.means ?? '';
  say(
    `${sum(races.map((one) => one.attempts))} attempts against a racer (${means}): ${escapes.length} escapes`,
  );
  for (const tool of new Set(races.flatMap((one) => Object.keys(one.tools)))) {
    const of = (field: 'attempts' | 'succeeded') => sum(races.map((one) => one.tools[tool]?.[field] ?? 0));
    say(`  ${tool.padEnd(6)} ${of('attempts')} attempts, ${of('succeeded')} met the folder or file`);
  }
  say(
    `  a naive check beside it: ${naive} escapes in ${sum(races.map((one) => one.naive.attempts))} attempts`,
  );
  for (const line of escapes.slice(0, 10)) say(`  ${line}`);
  return escapes.length === 0 && naive > 0;
}

function tellPaths(results: readonly FuzzResult[]): boolean {
  if (results.length === 0) return true;
  const differences = results.flatMap((one) => one.differences);
  const meanings = new Set(results.flatMap((one) => Object.keys(one.meanings)));
  say(
    `${sum(results.map((one) => one.paths))} paths: ${differences.length} differ from the reference resolver`,
  );
  for (const meaning of meanings) {
    say(`  ${meaning}: ${sum(results.map((one) => one.meanings[meaning] ?? 0))}`);
  }
  for (const difference of differences.slice(0, 10)) say(`  ${JSON.stringify(difference)}`);
  return differences.length === 0;
}

const sound = [
  tellPaths(await shared<FuzzResult>('paths', Number(values.paths))),
  tellRaces(await shared<RaceResult>('race', Number(values.attempts))),
];
process.exitCode = sound.every(Boolean) ? 0 : 1;
