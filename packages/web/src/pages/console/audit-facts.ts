import { visibleText } from '@bulkhead/protocol';
import type { AuditLine } from '@bulkhead/protocol/client';

/** Facts of a step in an audit log entry. */
export interface AuditFacts {
  /** allow, escalate, block; empty without a verdict. */
  readonly decision: string;
  readonly rule: string;
  readonly reason: string;
  /** All its facts, `name: value`. */
  readonly all: readonly string[];
}

/** Reads the facts of an entry, leniently: they differ from step to step. */
export function auditFacts({ detailsJson }: AuditLine): AuditFacts {
  const facts = new Map<string, unknown>(Object.entries(parsed(detailsJson)));
  const text = (name: string): string => {
    const value = facts.get(name);
    return typeof value === 'string' ? value : '';
  };
  const all = [...facts].map(
    ([name, value]) =>
      `${name}: ${short(visibleText(typeof value === 'string' ? value : JSON.stringify(value), false))}`,
  );
  return { decision: text('decision'), rule: text('rule'), reason: text('reason'), all };
}

/** Hashes are shortened: the log and a proof hold the whole. */
function short(text: string): string {
  return text.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{28,}\b/g, '$1…');
}

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const BAD: ReadonlySet<string> = new Set(['DENIED', 'FAILED', 'REFUSED', 'WITNESS_LOST']);
const GOOD: ReadonlySet<string> = new Set(['EXECUTED', 'APPROVED', 'WITNESS_BACK']);

export function stepTone(step: string): '' | 'good' | 'bad' {
  if (BAD.has(step)) return 'bad';
  return GOOD.has(step) ? 'good' : '';
}
