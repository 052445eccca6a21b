import type { ActionFate } from '@bulkhead/protocol';
import type { Execution } from './effect-ledger.ts';
import type { TrackedAction } from './session-tracker.ts';
import type { Surroundings } from './surroundings.ts';

/** Compares the real effects with the logs [T8, FG4]. */
export function checkEffects(world: Surroundings): void {
  for (const execution of world.ledger.executions) checkFate(world, execution);
  checkOnce(world);
  for (const tracker of world.trackers.all()) checkDoubtful(world, [...tracker.actions.values()]);
  checkClaims(world);
}

function checkFate(world: Surroundings, execution: Execution): void {
  const { actionId, happened, effect, tool, token } = execution;
  const action = world.trackers.of(execution.sessionId).actions.get(actionId);
  const wrong = (what: string): void => world.violated(`${tool} ${token}, action ${actionId}: ${what} [T8]`);
  if (action === undefined) {
    // An action without effects need not be kept: a power cut may remove all its records.
    if (effect !== 'pure') wrong('it was executed and the log does not know it');
    return;
  }
  if (!action.intent && effect !== 'pure') wrong('it was executed without an intent');
  const fate = fateOf(action);
  if (happened && fate === 'not_executed' && effect !== 'pure')
    wrong('it happened, and the log says it did not');
  // A repeated request leaves a file unchanged, so its execution can't be detected.
  const tellable = (world.answers.asked.get(token) ?? 0) <= 1;
  if (!happened && fate === 'executed' && tellable) wrong('it did not happen, and the log says it did');
  if (action.completed?.dryRun === true) wrong('it was only to be described');
}

/** The log's statement on an action; undefined if it only says that its tool failed. */
function fateOf({ completed }: TrackedAction): ActionFate | undefined {
  if (completed?.dryRun === true) return 'not_executed';
  return completed?.fate ?? (completed?.success === true ? 'executed' : undefined);
}

/** An unrepeatable effect happens once per request of the model, and once per action. */
function checkOnce(world: Surroundings): void {
  const byToken = new Map<string, number>();
  const byAction = new Map<string, number>();
  for (const { effect, happened, token, actionId } of world.ledger.executions) {
    if (!happened || effect !== 'once') continue;
    byToken.set(token, (byToken.get(token) ?? 0) + 1);
    byAction.set(actionId, (byAction.get(actionId) ?? 0) + 1);
  }
  for (const [token, times] of byToken) {
    const asked = world.answers.asked.get(token) ?? 0;
    if (times > asked)
      world.violated(`the effect of ${token} happened ${times} times and was asked for ${asked} times [T8]`);
  }
  for (const [action, times] of byAction) {
    if (times > 1) world.violated(`action ${action} took effect ${times} times [T8]`);
  }
}

/** After an unknown outcome, the same action is not repeated without a person's approval. */
function checkDoubtful(world: Surroundings, actions: readonly TrackedAction[]): void {
  for (const doubtful of actions.filter((action) => fateOf(action) === 'unknown')) {
    const again = actions.find(
      (action) => action.run === doubtful.run && action.hash === doubtful.hash && action.pos > doubtful.pos,
    );
    if (again === undefined || again.allowed || world.ledger.ofAction(again.id).length === 0) continue;
    world.violated(
      `action ${again.id} repeats ${doubtful.id}, of which nobody knows, and no person was asked [T8]`,
    );
  }
}

/** Every action that the log calls executed was executed. */
function checkClaims(world: Surroundings): void {
  for (const tracker of world.trackers.all()) {
    for (const action of tracker.actions.values()) {
      const executions = world.ledger.ofAction(action.id);
      if (executions.length > 1)
        world.violated(`action ${action.id} was executed ${executions.length} times [T8]`);
      // A file in the state that a repeated request produces looks as if that request was executed
      // again.
      const toldByFile = action.completed?.fate === 'executed';
      if (executions.length === 0 && fateOf(action) === 'executed' && !toldByFile) {
        world.violated(`action ${action.id} is told as executed and nobody executed it [T8]`);
      }
    }
  }
}
