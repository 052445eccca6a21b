/*
 * Holds the verdicts on variants (`vary-cases.ts`) against those on the plain commands: how many are weaker, by variation.
 *
 * usage: node scripts/run.mjs bench/shield/compare-variants.ts VERDICTS.jsonl VERDICTS-OF-VARIANTS.jsonl
 */
import { readFileSync } from 'node:fs';

const RANK = { allow: 0, escalate: 1, block: 2 } as const;
type Decision = keyof typeof RANK;

const [plainFile, variantFile] = process.argv.slice(2);
if (plainFile === undefined || variantFile === undefined) throw new Error('which two files of verdicts?');
const plain = new Map(verdictsIn(plainFile));
const weaker = new Map<string, { toAsk: number; toAllow: number }>();
let compared = 0;
for (const [id, decision] of verdictsIn(variantFile)) {
  const at = id.lastIndexOf('/');
  const before = plain.get(id.slice(0, at));
  if (before === undefined) continue;
  compared += 1;
  if (RANK[decision] >= RANK[before]) continue;
  const variation = id.slice(at + 1);
  const counts = weaker.get(variation) ?? { toAsk: 0, toAllow: 0 };
  if (decision === 'allow') counts.toAllow += 1;
  else counts.toAsk += 1;
  weaker.set(variation, counts);
}
process.stdout.write(`${compared} variants\n`);
for (const [variation, { toAsk, toAllow }] of weaker)
  process.stdout.write(`  ${variation}: ${toAsk} asked instead of blocked, ${toAllow} allowed\n`);

function* verdictsIn(file: string): Generator<readonly [id: string, decision: Decision]> {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const verdict: unknown = line === '' ? undefined : JSON.parse(line);
    if (isVerdict(verdict)) yield [verdict.id, verdict.decision];
  }
}

function isVerdict(value: unknown): value is { id: string; decision: Decision } {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('decision' in value)) return false;
  return typeof value.id === 'string' && typeof value.decision === 'string' && value.decision in RANK;
}
