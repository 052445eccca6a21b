import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEDGER, type Task } from './task-model.ts';
import type { EventLine, World } from './world.ts';

/** A message that was sent, and what its sender knows. */
export interface Sent {
  readonly session: string;
  readonly id: string;
  readonly key: string;
  readonly task: Task;
  /** The engine answered that it was taken. */
  readonly acknowledged: boolean;
}

/**
 * Compares the events that a client received with the events of the session and with the working
 * folder. Knows nothing of how the product stores or recovers.
 *
 * @param mayFail true: a step that was reported as failed may be missing
 * @returns a sentence for each promise that was broken
 */
export async function violationsOf(
  world: World,
  sent: readonly Sent[],
  mayFail = false,
): Promise<readonly string[]> {
  const ledger = linesOf(join(world.work, LEDGER));
  const sessions = new Map<string, readonly EventLine[]>();
  for (const { session } of sent) {
    if (!sessions.has(session)) sessions.set(session, await world.events(session));
  }
  return sent.flatMap((message) => problemsOf(message, sessions.get(message.session) ?? [], ledger, mayFail));
}

function problemsOf(
  sent: Sent,
  events: readonly EventLine[],
  ledger: readonly string[],
  mayFail: boolean,
): readonly string[] {
  const { id, key, task, acknowledged } = sent;
  const ends = events.filter((event) => event.type === 'settled' && event['message'] === id);
  const outcome = ends[0]?.['outcome'];
  const fates = fatesOf(events);
  return [
    ...(acknowledged && ends.length !== 1 ? [`${id} was acknowledged and settled ${ends.length} times`] : []),
    ...(acknowledged && ends.length === 1 && outcome !== 'completed'
      ? [`${id} ended as ${String(outcome)}`]
      : []),
    ...task.steps.flatMap((step, index) => {
      if (step !== 'append' && step !== 'slow') return [];
      const call = `${key}-${index + 1}`;
      const times = ledger.filter((line) => line === call).length;
      const told = fates.get(call) ?? [];
      return stepProblems({ call, times, told, isOver: outcome === 'completed', mayFail });
    }),
  ];
}

function stepProblems(step: {
  readonly call: string;
  /** How often it is in the working folder. */
  readonly times: number;
  readonly told: readonly string[];
  /** Its message ended well. */
  readonly isOver: boolean;
  readonly mayFail: boolean;
}): readonly string[] {
  const { call, times, told, isOver, mayFail } = step;
  if (times > 1) return [`${call} was done ${times} times`];
  if (times === 1) {
    const isDenied = told.length > 0 && told.every((fate) => fate === 'not_executed');
    return isDenied ? [`${call} was told as not done and is there`] : [];
  }
  if (told.includes('executed')) return [`${call} was told as done and is not there`];
  const isExcused = told.includes('unknown') || (mayFail && told.some((fate) => fate.startsWith('failed')));
  return isOver && !isExcused ? [`${call} is missing; told of it: ${told.join(', ')}`] : [];
}

/** Reported end of each call: executed, failed, or the fate that a recovery found. */
function fatesOf(events: readonly EventLine[]): ReadonlyMap<string, readonly string[]> {
  const ends = events.filter(({ type }) => type === 'action_completed');
  const named = ends.map((event) => ({
    call: String(event['call']),
    fate: String(event['fate'] ?? (event['success'] === true ? 'executed' : `failed (${event['summary']})`)),
  }));
  return new Map(
    [...Map.groupBy(named, ({ call }) => call)].map(([call, all]) => [call, all.map(({ fate }) => fate)]),
  );
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}
