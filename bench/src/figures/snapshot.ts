import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chronicle } from '@bulkhead/chronicle';
import type { Figure, Row } from '../figure.ts';
import { timed } from '../poll.ts';
import { pairedRow } from '../render.ts';

const REPEATS = 9;
const FILE_BYTES = 10_000;
/** Changes of one command. */
const CHANGES = 1_000;

/**
 * The cost of keeping files that an action is about to change, and of finding its changes, against
 * one flushed copy of them.
 */
export const snapshot: Figure = {
  name: 'snapshot',
  async measure() {
    return [await row('one write of 10 kB', 1), await row(`a command with ${CHANGES} changes`, CHANGES)];
  },
};

async function row(what: string, files: number): Promise<Row> {
  const root = mkdtempSync(join(tmpdir(), 'bulkhead-bench-snapshot-'));
  try {
    const folder = join(root, 'work');
    mkdirSync(folder);
    const chronicle = Chronicle.open({
      folder: join(root, 'chronicle'),
      retention: { snapshots: 100, days: 30, maxBytes: 1e12 },
      now: Date.now,
      confirmed: () => 0,
    });
    const names = Array.from({ length: files }, (_, index) => `file-${index}`);
    const values = { product: [] as number[], bare: [] as number[] };
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      change(folder, names, repeat);
      const taken = await timed(() => take(chronicle, folder, names, repeat));
      change(folder, names, repeat + 0.5);
      const seen = await timed(() => chronicle.finish(`A${repeat}`));
      values.product.push(taken + seen);
      values.bare.push(await timed(async () => flushedCopies(root, names, repeat)));
    }
    return pairedRow(`snapshot of ${what}, taken and closed; bare: flushed copies`, values, {
      unit: ' ms',
      digits: 1,
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function contentOf(name: string, version: number): Buffer {
  return Buffer.alloc(FILE_BYTES, `${name} ${version} `);
}

function change(folder: string, names: readonly string[], version: number): void {
  for (const name of names) writeFileSync(join(folder, name), contentOf(name, version));
}

async function take(
  chronicle: Chronicle,
  folder: string,
  names: readonly string[],
  repeat: number,
): Promise<void> {
  await chronicle.take({
    id: `A${repeat}`,
    run: 'bench',
    session: 'bench',
    tool: 'bench',
    about: '',
    folder,
    paths: names.map((name) => ({ path: Buffer.from(name) })),
  });
}

function flushedCopies(root: string, names: readonly string[], version: number): void {
  for (const name of names) {
    const descriptor = openSync(join(root, `copy-${version}-${name}`), 'w');
    writeSync(descriptor, contentOf(name, version));
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}
