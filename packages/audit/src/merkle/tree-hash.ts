import { hash } from 'node:crypto';

/**
 * The two hashes of the Merkle tree of RFC 9162, 2.1.1: a leaf is SHA-256(0x00 ‖ data), a node SHA-256(0x01 ‖ left ‖
 * right). The first byte keeps a node from being passed off as a leaf.
 *
 * A tree hash is its 32 bytes as a string of 32 latin1 characters: compared with `===`, never changed by mistake, and
 * three times as fast to come by as a Buffer.
 */
export type TreeHash = string;

/** Bytes of a tree hash. */
const HASH_BYTES = 32;

/** Root of the tree without leaves: SHA-256 of nothing. */
export const EMPTY_ROOT: TreeHash = hash('sha256', '', 'binary');

/** @param data a leaf with one byte before it, that must be 0x00 */
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

/** @returns undefined for what is not the base64 of 32 bytes, written in the one right way */
export function fromBase64(text: string): TreeHash | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === HASH_BYTES && bytes.toString('base64') === text
    ? bytes.toString('latin1')
    : undefined;
}
