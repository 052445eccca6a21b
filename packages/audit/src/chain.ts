import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { AUDIT_STEPS, AUDIT_VERSION, type AuditEntry, type AuditInput } from './audit-entry.ts';
import { ENTRY_PATTERN } from './entry-pattern.ts';

/** The end of a chain, to which the next entry is linked. */
export interface ChainHead {
  readonly n: number;
  readonly self: string;
}

export const GENESIS: ChainHead = { n: 0, self: '0'.repeat(64) };

/** Longest line of the log; `capInput` ensures it. */
export const MAX_LINE_BYTES = 64 * 1024;

export interface SealedEntry {
  readonly entry: AuditEntry;
  /** The entry as RFC 8785 text, without a line break. */
  readonly line: string;
}

/**
 * Binds an input to the chain.
 * @param time milliseconds since the epoch
 */
export function sealEntry(input: AuditInput, head: ChainHead, time: number): SealedEntry {
  const open = {
    ...input,
    v: AUDIT_VERSION,
    n: head.n + 1,
    time: new Date(time).toISOString(),
    prev: head.self,
  } as const;
  const entry: AuditEntry = { ...open, self: hash('sha256', canonical(open)) };
  return { entry, line: canonical(entry) };
}

function canonical(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('an audit entry has no canonical form');
  return text;
}

/**
 * Checks one line against the end of the chain before it.
 * @param line the line's text, decoded strictly: different bytes must give different text
 * @returns the new end of the chain, or why the line is not the next entry
 */
export function checkLine(line: string, head: ChainHead): ChainHead | string {
  const [, number, prev, self, step] = ENTRY_PATTERN.exec(line) ?? [];
  if (number === undefined || prev === undefined || self === undefined || !STEPS.has(step)) {
    return isJson(line) ? 'it is not an audit entry of this version' : 'it is not JSON';
  }
  const n = Number(number);
  if (n !== head.n + 1) return `its number is ${n}, not ${head.n + 1}`;
  if (hash('sha256', withoutSelf(line, self)) !== self) return 'its content does not match its hash';
  if (prev !== head.self) return 'it does not follow the entry before it';
  return { n, self };
}

/**
 * The members after `self` are strings with escaped quotes, so the last match is the member itself.
 */
function withoutSelf(line: string, self: string): string {
  const member = `"self":"${self}",`;
  const at = line.lastIndexOf(member);
  return line.slice(0, at) + line.slice(at + member.length);
}

const STEPS: ReadonlySet<unknown> = new Set(AUDIT_STEPS);

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Returns the unverified values of a line. */
export function claimedHead(line: string): ChainHead | undefined {
  const [, n, , self] = ENTRY_PATTERN.exec(line) ?? [];
  return n === undefined || self === undefined ? undefined : { n: Number(n), self };
}
