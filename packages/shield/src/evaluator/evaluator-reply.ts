import type { Decision } from '@bulkhead/protocol';

/** An evaluator's answer, fully validated. */
export interface EvaluatorReply {
  readonly decision: Decision;
  /** 0 to 1. */
  readonly confidence: number;
  /** One line. */
  readonly reason: string;
}

const MOST_CHARACTERS = 4_000;
const MOST_REASON = 300;
const NAMES = ['confidence', 'decision', 'nonce', 'reason'];

/**
 * One member of a flat object: a name, and a string or a number (RFC 8259). Each part ends where
 * the next starts.
 */
const MEMBER =
  /\s*("(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*")\s*:\s*("(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"|\d(?:\.\d{1,9})?)\s*([,}])/uy;

/**
 * Reads an answer that is one JSON object with exactly the four requested members, each once, and
 * nothing around it. An answer that only contains such an object, repeats a member or has another
 * nonce may have been written by the data's author: it is not a verdict.
 *
 * @param nonce given only in the instructions
 * @returns undefined if it is not valid
 */
export function parseReply(text: string, nonce: string): EvaluatorReply | undefined {
  const members = text.length > MOST_CHARACTERS ? undefined : flatObject(text.trim());
  if (members === undefined || [...members.keys()].toSorted().join() !== NAMES.join()) return undefined;
  const [decision, confidence, reason] = ['decision', 'confidence', 'reason'].map((name) =>
    members.get(name),
  );
  if (members.get('nonce') !== nonce || !isDecision(decision)) return undefined;
  if (typeof confidence !== 'number' || confidence > 1 || typeof reason !== 'string') return undefined;
  const line = reason
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MOST_REASON);
  return line === '' ? undefined : { decision, confidence, reason: line };
}

/** Undefined if it is anything else, or names a member twice. */
function flatObject(text: string): ReadonlyMap<string, string | number> | undefined {
  const members = new Map<string, string | number>();
  if (!text.startsWith('{')) return undefined;
  const member = new RegExp(MEMBER);
  member.lastIndex = 1;
  for (;;) {
    const [, name, value, sign] = member.exec(text) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = String(JSON.parse(name));
    if (members.has(key)) return undefined;
    members.set(key, value.startsWith('"') ? String(JSON.parse(value)) : Number(value));
    if (sign === '}') return member.lastIndex === text.length ? members : undefined;
  }
}

function isDecision(value: unknown): value is Decision {
  return value === 'allow' || value === 'block' || value === 'escalate';
}
