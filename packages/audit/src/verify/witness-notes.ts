import { parseCheckpoint } from '../checkpoint/checkpoint.ts';
import type { KeyRing } from '../checkpoint/key-ring.ts';
import type { BadEntry } from './audit-verification.ts';
import type { ExpectedRoot } from './expected-roots.ts';

/** Copies of checkpoints from a witness, out of the engine's reach. */
export interface WitnessNotes {
  /** Its name, for messages: a path, an address. */
  readonly name: string;
  /** Signed checkpoints, oldest first. */
  readonly notes: readonly string[];
}

/** @returns the roots that the log must have, or the first invalid note */
export function rootsOfWitness(
  { name, notes }: WitnessNotes,
  keys: KeyRing,
): readonly ExpectedRoot[] | BadEntry {
  const roots: ExpectedRoot[] = [];
  for (const [index, note] of notes.entries()) {
    const line = index + 1;
    const checkpoint = parseCheckpoint(note);
    const bad = { file: name, line, n: 1 };
    if (checkpoint === undefined) return { ...bad, reason: 'it is not a checkpoint' };
    if (checkpoint.origin !== keys.origin)
      return { ...bad, reason: `it is of the log ${checkpoint.origin}, and this one is ${keys.origin}` };
    const reason = keys.problem(checkpoint);
    if (reason !== undefined) return { ...bad, reason };
    roots.push({ size: checkpoint.size, root: checkpoint.root, file: name, line });
  }
  return roots;
}
