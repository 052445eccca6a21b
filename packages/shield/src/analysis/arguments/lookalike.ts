import { foldName } from '@bulkhead/protocol';

const WORD = /[\p{L}\p{N}_.+@-]+/gu;
const NAME = /^(?:[^@]+@)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+$/u;
const MAX_NAMES = 64;
const MAX_NAME = 320;

/** Addresses and hosts in a text, in lower case. */
export function namesIn(text: string): readonly string[] {
  const words = (text.slice(0, 8_192).match(WORD) ?? []).map((word) => word.replace(/\.$/, ''));
  const names = words.filter((word) => word.length <= MAX_NAME && word.includes('.') && NAME.test(word));
  return names.slice(0, MAX_NAMES).map((name) => name.toLowerCase());
}

/** True if a name has non-ASCII letters that look like ASCII ones after folding. */
export function isConfusable(name: string): boolean {
  return /[^\x20-\x7e]/.test(name) && /^[\x20-\x7e]+$/.test(foldName(name));
}

/** Returns the name in `known` that this different name resembles. */
export function takenFor(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  if (known.includes(lower)) return undefined;
  return known.find((each) => alike(lower, each));
}

function alike(name: string, other: string): boolean {
  if (looked(name) === looked(other)) return true;
  // Short names are similar to many others.
  return Math.min(name.length, other.length) >= 8 && withinOneEdit(name, other);
}

/** Replaces letter pairs that readers confuse. */
function looked(name: string): string {
  return foldName(name)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/[1il|]/g, 'l')
    .replaceAll('0', 'o');
}

/** One letter added, removed or replaced, or two exchanged. */
function withinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const restA = a.slice(start);
  const restB = b.slice(start);
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
