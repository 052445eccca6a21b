import { conversationFlaws } from '@bulkhead/log/testing';
import type { SentMessage } from './people.ts';
import type { SessionTracker } from './session-tracker.ts';
import type { Surroundings } from './surroundings.ts';

/** Limit of restarts of a run, as documented. */
const MOST_RESUMES = 3;

/** Invariants of a world at rest. Reports to `world.violated`. */
export function checkAtRest(world: Surroundings, sent: readonly SentMessage[]): void {
  for (const message of sent) checkMessage(world, message);
  for (const tracker of world.trackers.all()) {
    checkSession(world, tracker);
    checkBranch(world, tracker.id);
    checkEnds(world, tracker);
  }
  checkAudit(world);
}

/**
 * No accepted input is lost, none is settled without an end, a refused one leaves no trace [T2, T6,
 * L8].
 */
function checkMessage(world: Surroundings, { sessionId, messageId, state }: SentMessage): void {
  const input = world.trackers.of(sessionId).inputs.get(messageId);
  if (state === 'acknowledged' && input === undefined) world.violated(`message ${messageId} is lost [T2]`);
  if (state === 'refused' && input !== undefined) world.violated(`message ${messageId} was refused and kept`);
}

function checkSession(world: Surroundings, tracker: SessionTracker): void {
  for (const id of tracker.inputs.keys()) checkInput(world, tracker, id);
  for (const action of tracker.actions.values()) {
    if (action.completed === undefined)
      world.violated(`action ${action.id} of ${tracker.id} is still open [T8]`);
  }
  if (tracker.run !== undefined) world.violated(`run ${tracker.run.id} has no end [T6]`);
}

function checkInput(world: Surroundings, { inputs }: SessionTracker, id: string): void {
  const input = inputs.get(id);
  if (input === undefined) return;
  const { outcome, delivery, entries, started, joined } = input;
  const wrong = (what: string): void => world.violated(`message ${id} (${delivery}): ${what}`);
  if (outcome === undefined) wrong('it was accepted and never settled [T6]');
  const ran = outcome === 'completed' || outcome === 'merged' || outcome === 'blocked';
  if (ran && entries !== 1) wrong(`it is ${outcome} and ${entries} times an entry [L8]`);
  if (outcome === 'merged' && started) wrong('it was run and merged');
  const answered = outcome === 'merged' ? inputs.get(joined)?.outcome : outcome;
  if (answered === 'completed' && !world.answers.shown.has(id)) wrong('no model was ever shown it [L8]');
}

/**
 * No run is cancelled without a person's cancel, and only engine deaths count towards the limit of
 * restarts [P8, T8].
 */
function checkEnds(world: Surroundings, { id, inputs }: SessionTracker): void {
  const wrong = (what: string): void => world.violated(`session ${id}: ${what}`);
  const interrupted = [...inputs.values()].some(({ delivery }) => delivery === 'interrupt');
  const asked = interrupted || world.cancelled.has(id) || world.lastRefusal > 0;
  const isLost = world.disk.store.getSession(id) === undefined;
  if (isLost) wrong('its log is lost [T2]');
  const records = isLost ? [] : world.disk.store.records(id, { pos: 0 });
  if (!asked && records.some(({ type }) => type === 'cancel_requested'))
    wrong('a cancel that nobody asked for');
  for (const [message, { outcome, error }] of inputs) {
    if (!asked && outcome === 'aborted') wrong(`message ${message} is aborted, and nobody asked for it`);
    if (error === 'interrupted' && world.deaths <= MOST_RESUMES)
      wrong(`message ${message} is given up after ${world.deaths} deaths`);
  }
}

/**
 * Invariants of an engine's stored data, whenever it dies: history holds finished rounds only [S3].
 */
export function checkLeftBehind(world: Surroundings): void {
  for (const { id } of world.trackers.all()) checkBranch(world, id);
}

/**
 * Every call has exactly one result, right after the message that made it; the way to the root ends
 * [T9, S3].
 */
function checkBranch(world: Surroundings, sessionId: string): void {
  const { store } = world.disk;
  const session = store.getSession(sessionId);
  if (session === undefined) return;
  const wrong = (what: string): void => world.violated(`history of session ${sessionId}: ${what}`);
  const entries = store.branch(sessionId, session.leaf);
  let before = 0;
  for (const { id, pos } of entries) {
    if (pos <= before) wrong(`entry ${id} stands before its parent`);
    before = pos;
  }
  const messages = entries.flatMap(({ message }) => (message === undefined ? [] : [message]));
  for (const flaw of conversationFlaws(messages)) wrong(flaw);
}

/**
 * For every start the audit log has an end: reported by the executor, or found out after a crash.
 */
function checkAudit(world: Surroundings): void {
  const steps = new Map<string, string[]>();
  for (const { step, action } of world.audit.entries) steps.set(action, [...(steps.get(action) ?? []), step]);
  const known = new Set(world.trackers.all().flatMap(({ actions }) => [...actions.keys()]));
  for (const [action, taken] of steps) {
    const count = (...names: readonly string[]): number =>
      taken.filter((step) => names.includes(step)).length;
    // A power cut may remove all records of an action without a stored intent: one that was not
    // started, or changes nothing. A broken audit log can't be written.
    const canEnd = !world.auditBroke && (known.has(action) || !world.lostPower);
    const sound =
      count('STARTED') <= 1 &&
      count('EXECUTED', 'FAILED', 'REFUSED', 'DESCRIBED') <= 1 &&
      (count('STARTED') === 0 || !canEnd || count('EXECUTED', 'FAILED', 'RECOVERED') > 0) &&
      (count('EXECUTED', 'FAILED') === 0 || count('STARTED') === 1);
    if (!sound) world.violated(`audit: action ${action} is told as ${taken.join(', ')}`);
  }
}
