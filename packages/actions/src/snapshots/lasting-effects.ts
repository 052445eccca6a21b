import type { ListedEntry } from '@bulkhead/audit';

/** An effect of an action that no rollback can undo. */
export interface LastingEffect {
  /** Id of the action. */
  readonly id: string;
  readonly tool: string;
  /** For people. */
  readonly reason: string;
}

/** Rules of commands that write the folder directly, whatever their outcome. */
const LIVE_RULES: ReadonlySet<unknown> = new Set(['commands/live', 'commands/unboxed', 'commands/insecure']);

interface Seen {
  readonly tool: string;
  run: unknown;
  hosts: readonly string[];
  writesItself: boolean;
  begun: boolean;
}

/**
 * Data that actions sent or processes that they left running, from the audit log [FG6]. Actions
 * that never started had no effect.
 *
 * @param entries of their session, in order
 * @param isMeant selects by action and run
 */
export function lastingEffects(
  entries: readonly Pick<ListedEntry, 'action' | 'tool' | 'step' | 'details'>[],
  isMeant: (action: string, run: unknown) => boolean,
): readonly LastingEffect[] {
  const actions = new Map<string, Seen>();
  for (const { action, tool, step, details } of entries) {
    const seen = actions.get(action) ?? { tool, run: '', hosts: [], writesItself: false, begun: false };
    actions.set(action, seen);
    read(seen, step, isRecord(details) ? details : {});
  }
  return [...actions].flatMap(([id, { tool, run, hosts, writesItself, begun }]) => {
    if (!begun || !isMeant(id, run)) return [];
    const sent =
      hosts.length === 0
        ? []
        : [`it may have reached ${hosts.join(', ')}: its effects there can not be undone`];
    const written = writesItself ? ['its own writes can not be undone'] : [];
    const reason = [...sent, ...written].join('; ');
    return reason === '' ? [] : [{ id, tool, reason }];
  });
}

function read(seen: Seen, step: string, details: Readonly<Record<string, unknown>>): void {
  if (step === 'PROPOSED') {
    seen.run = details['run'];
    seen.hosts = Array.isArray(details['hosts']) ? details['hosts'].map(String) : [];
    seen.writesItself ||= details['background'] === true;
  }
  seen.writesItself ||= LIVE_RULES.has(details['rule']);
  if (step !== 'STARTED') return;
  seen.begun = true;
  // Keeping its changes is an action of its own.
  if (details['held'] === true) seen.writesItself = false;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
