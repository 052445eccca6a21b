import { hash } from 'node:crypto';

/**
 * The two hashes of the Merkle tree of RFC 9162, 2.1.1: a leaf is SHA-256(0x00 ‖ data), a node
 * SHA-256(0x01 ‖ left ‖ right). The first byte prevents a node from passing as a leaf.
 *
 * A tree hash is its 32 bytes as a string of 32 latin1 characters: comparable with `===`,
 * immutable, and three times as fast to create as a Buffer.
 */
export type TreeHash = string;

/** Bytes of a tree hash. */
const HASH_BYTES = 32;

/** Root of the tree without leaves: SHA-256 of nothing. */
export const EMPTY_ROOT: TreeHash = hash('sha256', '', 'binary');

/** @param data a leaf after one extra byte, which must be 0x00 */
export function prefixedLeafHash(data: Uint8Array): TreeHash {
  return hash('sha256', data, 'binary');
}

/** @param text of the leaf */
export function leafHash(text: string): TreeHash {
  return prefixedLeafHash(Buffer.from(`\0${text}`));
}

export function nodeHash(left: TreeHash, right: TreeHash): TreeHash {
  return hash('sha256', Buffer.from(`\u0001${left}${right}`, 'latin1'), 'binary');
}

export function toBase64(value: TreeHash): string {
  return Buffer.from(value, 'latin1').toString('base64');
}

/** @returns undefined if it is not the canonical base64 of 32 bytes */
export function fromBase64(text: string): TreeHash | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === HASH_BYTES && bytes.toString('base64') === text
    ? bytes.toString('latin1')
    : undefined;
}
