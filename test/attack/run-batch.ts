import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { BOX_FAILED_STATUS } from '@bulkhead/sandbox';
import { type Outcome, outcomeOf } from './outcome.ts';

/** The result of one attempt. */
export interface Result {
  readonly outcome: Outcome;
  /** The attacker's addition: which of many objects it reached. */
  readonly detail: string;
  /** Number of canaries in the read data. */
  readonly canaries: number;
}

/** The box could not be made, so there was no attack. */
export class NoBoxError extends Error {}

interface Round {
  readonly lines: ReadonlyMap<string, { readonly outcome: Outcome; readonly detail: string }>;
  readonly loot: ReadonlyMap<string, number>;
  /** Signal or exit code; undefined after a plain end. */
  readonly ended: Outcome | undefined;
}

const ROUND_MILLISECONDS = 60_000;

/**
 * Lets an attacker try `names` in order. It writes a line "NAME RESULT DETAIL" for each to stdout
 * and the data it read to stderr, after a line "@@NAME". An attacker that ends early is started
 * again after the attempt that ended it.
 *
 * @param start starts the attacker with the names that are left; stdout and stderr are pipes
 * @throws NoBoxError
 */
export async function runBatch(
  names: readonly string[],
  canary: string,
  start: (names: readonly string[]) => ChildProcess,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>();
  let left = names;
  while (left.length > 0) {
    const round = await runRound(start(left), canary);
    const answered = left.findLastIndex((name) => round.lines.has(name));
    for (const name of left.slice(0, answered + 1)) {
      const line = round.lines.get(name) ?? { outcome: 'nothing', detail: '' };
      results.set(name, { ...line, canaries: round.loot.get(name) ?? 0 });
    }
    left = left.slice(answered + 1);
    const [fatal] = left;
    if (fatal === undefined) break;
    // A replaced program ends normally after an answer: the next attempt has done nothing yet.
    if (round.ended === undefined && answered >= 0) continue;
    results.set(fatal, {
      outcome: round.ended ?? 'nothing',
      detail: '',
      canaries: round.loot.get(fatal) ?? 0,
    });
    left = left.slice(1);
  }
  return results;
}

async function runRound(child: ChildProcess, canary: string): Promise<Round> {
  const [out, loot]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => loot.push(chunk));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, ROUND_MILLISECONDS);
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  const said = Buffer.concat(loot);
  if (code === BOX_FAILED_STATUS) throw new NoBoxError(lastLine(said));
  const lines = new Map<string, { outcome: Outcome; detail: string }>();
  for (const [, name = '', result = '', detail = ''] of Buffer.concat(out)
    .toString('latin1')
    .matchAll(/^(\S+) (\S+)(.*)$/gm)) {
    lines.set(name, {
      outcome: /^-?\d+$/.test(result) ? outcomeOf(Number(result)) : result,
      detail: detail.trim(),
    });
  }
  const ended = late ? 'hung' : (signal ?? (code === 0 ? undefined : `exit ${code}`));
  return { lines, loot: countLoot(said, canary), ended };
}

function lastLine(text: Buffer): string {
  return text.toString('utf8').trim().split('\n').at(-1) ?? '';
}

/** Occurrences of the canary behind each attempt's mark. */
function countLoot(loot: Buffer, canary: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = loot.indexOf(canary); at >= 0; at = loot.indexOf(canary, at + 1)) {
    const mark = loot.lastIndexOf('\n@@', at);
    const end = loot.indexOf('\n', mark + 1);
    const name = mark < 0 ? '' : loot.toString('latin1', mark + 3, end);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
