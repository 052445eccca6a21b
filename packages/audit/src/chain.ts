import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { AUDIT_STEPS, AUDIT_VERSION, type AuditEntry, type AuditInput } from './audit-entry.ts';

/** The end of a chain: what the next entry must follow. */
export interface ChainHead {
  readonly n: number;
  readonly self: string;
}

export const GENESIS: ChainHead = { n: 0, self: '0'.repeat(64) };

/** No line of the log is longer; `capInput` sees to it. */
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
 * @param line the text of the line, decoded strictly: different bytes must give different text
 * @returns the new end of the chain, or why the line is not the next entry
 */
export function checkLine(line: string, head: ChainHead): ChainHead | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'it is not JSON';
  }
  if (!isEntry(value)) return 'it is not an audit entry of this version';
  if (value.n !== head.n + 1) return `its number is ${value.n}, not ${head.n + 1}`;
  const open = withoutSelf(line, value.self);
  if (open === undefined || hash('sha256', open) !== value.self) return 'its content does not match its hash';
  if (value.prev !== head.self) return 'it does not follow the entry before it';
  return { n: value.n, self: value.self };
}

/**
 * The RFC 8785 text without its `self` member: in that form only string members and one number come after it,
 * and no string holds a bare quote, so the last match is the member itself.
 */
function withoutSelf(line: string, self: string): string | undefined {
  const member = `"self":"${self}",`;
  const at = line.lastIndexOf(member);
  return at < 0 ? undefined : line.slice(0, at) + line.slice(at + member.length);
}

const STRING_KEYS = ['action', 'hash', 'prev', 'self', 'session', 'step', 'time', 'tool'] as const;
const STEPS: ReadonlySet<unknown> = new Set(AUDIT_STEPS);
const KEYS = STRING_KEYS.length + 3;

function isEntry(value: unknown): value is AuditEntry {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== KEYS) return false;
  const members: Readonly<Record<string, unknown>> = { ...value };
  return (
    STRING_KEYS.every((key) => typeof members[key] === 'string') &&
    STEPS.has(members['step']) &&
    members['v'] === AUDIT_VERSION &&
    Number.isSafeInteger(members['n']) &&
    typeof members['details'] === 'object' &&
    members['details'] !== null
  );
}
