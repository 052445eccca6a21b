import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

/** The steps that the audit log has of a session, in order. */
export function auditSteps({ layout }: Stage, session: string): readonly string[] {
  return readdirSync(layout.audit)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => readFileSync(join(layout.audit, name), 'utf8').trimEnd().split('\n'))
    .map((line): { readonly session?: string; readonly step?: string } => JSON.parse(line))
    .flatMap(({ session: of, step }) => (of === session && step !== undefined ? [step] : []));
}
