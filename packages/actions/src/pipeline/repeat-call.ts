import { type Given, joinGiven } from '../grants/given.ts';
import type { ActionContext, ActionOutcome, Repeat } from './action-context.ts';

/** Questions about the needs of one call: packages may come from more than one server. */
const MAX_REPEATS = 3;

const REPEATED = '[it was run again, after the user allowed what it lacked]';

/**
 * Makes a call, and once more for each permission that a person gives it. A repeated action is judged
 * as any other. The last one gets a context without `repeated`: it offers nothing, since an answer
 * would have no effect.
 *
 * @param run makes the call as an action of its own
 */
export async function repeatCall<Context extends Pick<ActionContext, 'repeated'>>(
  run: (context: Context | Omit<Context, 'repeated'>, repeat?: Repeat) => Promise<ActionOutcome>,
  context: Context,
): Promise<ActionOutcome> {
  const { repeated, ...last } = context;
  let outcome = await run(context);
  let given: Given = {};
  const notes = new Set<string>();
  for (let times = 1; times <= MAX_REPEATS && outcome.repeat !== undefined; times += 1) {
    const { repeat, completed } = outcome;
    repeated?.(completed);
    given = joinGiven(given, repeat.given);
    if (repeat.remark !== undefined) notes.add(repeat.remark);
    const next = await run(times < MAX_REPEATS ? context : last, { ...repeat, given });
    outcome = withNotes(next, [...notes, REPEATED]);
  }
  return outcome;
}

/** The model made the call once, and one result answers it. */
function withNotes({ result, ...outcome }: ActionOutcome, notes: readonly string[]): ActionOutcome {
  const { text } = result;
  const end = `${text.endsWith('\n') ? '' : '\n'}${notes.join('\n')}`;
  return { ...outcome, result: { ...result, text: `${text}${end}` } };
}
