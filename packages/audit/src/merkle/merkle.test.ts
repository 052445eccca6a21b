import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Frontier } from './frontier.ts';
import { SubtreeProof } from './subtree-proof.ts';
import { EMPTY_ROOT, fromBase64, leafHash, nodeHash, type TreeHash, toBase64 } from './tree-hash.ts';

/** The root as RFC 9162, 2.1.1 defines it, from all leaves at once. */
function definedRoot(leaves: readonly TreeHash[]): TreeHash {
  const [first] = leaves;
  if (first === undefined) return EMPTY_ROOT;
  if (leaves.length === 1) return first;
  const split = splitOf(leaves.length);
  return nodeHash(definedRoot(leaves.slice(0, split)), definedRoot(leaves.slice(split)));
}

function splitOf(count: number): number {
  let split = 1;
  while (2 * split < count) split *= 2;
  return split;
}

/** The proof by its definition: roots of the largest parts without a leaf of `open`. */
function definedProof(
  leaves: readonly TreeHash[],
  open: (from: number, to: number) => boolean,
  from = 0,
): readonly TreeHash[] {
  if (!open(from, from + leaves.length)) return [definedRoot(leaves)];
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  return [
    ...definedProof(leaves.slice(0, split), open, from),
    ...definedProof(leaves.slice(split), open, from + split),
  ];
}

const leavesOf = (count: number) => Array.from({ length: count }, (_, n) => leafHash(`entry ${n}`));

describe('the Merkle tree', () => {
  it('hashes leaves and nodes as RFC 9162 says, apart from each other [U1]', () => {
    const sha256 = (...bytes: readonly (string | Buffer)[]) =>
      createHash('sha256')
        .update(Buffer.concat(bytes.map((one) => Buffer.from(one))))
        .digest('binary');
    const [a, b] = [leafHash('a'), leafHash('é')];
    expect([a, b]).toEqual([sha256('\0a'), sha256('\0é')]);
    expect(nodeHash(a, b)).toBe(sha256('\u0001', Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1')));
    expect(EMPTY_ROOT).toBe(sha256(''));
  });

  it('has at every size the root that its definition gives, also gone on with from what was kept [U1]', () => {
    const leaves = leavesOf(130);
    let tree = new Frontier();
    for (let size = 0; size <= leaves.length; size++) {
      expect(tree.root()).toBe(definedRoot(leaves.slice(0, size)));
      expect(tree.roots.length).toBeLessThanOrEqual(Math.log2(size + 1) + 1);
      tree = new Frontier(tree.size, tree.roots);
      tree.append(leaves[size] ?? '');
    }
  });

  it('refuses to go on from roots that do not fit the size', () => {
    const root = leafHash('a');
    for (const size of [0, 3, -1, 0.5, Number.NaN])
      expect(() => new Frontier(size, [root])).toThrow(RangeError);
  });

  it('gathers in one pass the proof that its definition gives, of any leaves [U1]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.array(fc.nat(69), { maxLength: 6 }), (size, chosen) => {
        const leaves = leavesOf(size);
        const shown = new Set(chosen);
        const proof = new SubtreeProof();
        leaves.forEach((leaf, index) => {
          proof.append(leaf, shown.has(index));
        });
        const open = (from: number, to: number) => [...shown].some((index) => from <= index && index < to);
        expect(proof.finish()).toEqual({ root: definedRoot(leaves), hashes: definedProof(leaves, open) });
      }),
    );
  });

  it('gathers in one pass the proof that its definition gives, of growth [U1]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 70 }), fc.integer({ min: 1, max: 69 }), (size, older) => {
        fc.pre(older < size);
        const leaves = leavesOf(size);
        const proof = new SubtreeProof(older);
        for (const leaf of leaves) proof.append(leaf, false);
        const open = (from: number, to: number) => from < older && older < to;
        expect(proof.finish()).toEqual({ root: definedRoot(leaves), hashes: definedProof(leaves, open) });
      }),
    );
  });

  it('proves six entries of one action among a million in less than 2 KB [FG7]', () => {
    const proof = new SubtreeProof();
    const shown = new Set([700_001, 700_002, 700_005, 700_009, 700_010, 700_040]);
    const leaf = leafHash('a');
    for (let n = 0; n < 1_000_000; n++) proof.append(leaf, shown.has(n));
    const { hashes } = proof.finish();
    expect(JSON.stringify(hashes.map(toBase64)).length).toBeLessThan(2_000);
  });

  it('writes a hash as base64 in one way only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const hash = Buffer.from(bytes).toString('latin1');
        expect(fromBase64(toBase64(hash))).toBe(hash);
      }),
    );
    const text = toBase64(leafHash('a'));
    for (const other of [text.slice(1), ` ${text}`, text.replace('=', ''), `${text.slice(0, -2)}/=`, ''])
      expect(fromBase64(other)).toBeUndefined();
  });
});
