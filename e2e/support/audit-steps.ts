import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

interface AuditLine {
  readonly action: string;
  readonly session: string;
  readonly step: string;
  readonly details: { readonly nonce?: string };
}

/** Every line of the audit log, in order. */
export function auditLines({ layout }: Stage): readonly AuditLine[] {
  return readdirSync(layout.audit)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => readFileSync(join(layout.audit, name), 'utf8').trimEnd().split('\n'))
    .map((line): AuditLine => JSON.parse(line));
}

/** About messages, not about what a session does. */
const OF_MESSAGES = ['ACCEPTED', 'SETTLED'];

/** The steps that the audit log has of what a session does, in order. */
export function auditSteps(stage: Stage, session: string): readonly string[] {
  return auditLines(stage).flatMap(({ session: of, step }) =>
    of === session && !OF_MESSAGES.includes(step) ? [step] : [],
  );
}
