import type { ActionContext, ActionOutcome, Repeat } from './action-context.ts';

/** Questions about the needs of one call: packages may come from more than one server. */
const MAX_REPEATS = 3;

const REPEATED = '[it was run again, after the user allowed what it lacked]';

/**
 * Makes a call, and once more for each permission that a person gives it. A repeated action is judged
 * as any other.
 *
 * @param run makes the call as an action of its own
 */
export async function repeatCall(
  run: (repeat?: Repeat) => Promise<ActionOutcome>,
  context: Pick<ActionContext, 'repeated'>,
): Promise<ActionOutcome> {
  let outcome = await run();
  const granted = new Set<string>();
  for (let times = 0; times < MAX_REPEATS && outcome.repeat !== undefined; times += 1) {
    const { repeat, completed } = outcome;
    context.repeated?.(completed);
    for (const place of repeat.granted) granted.add(place);
    outcome = withNote(await run({ ...repeat, granted: [...granted] }));
  }
  return outcome;
}

/** The model made the call once, and one result answers it. */
function withNote({ result, ...outcome }: ActionOutcome): ActionOutcome {
  const { text } = result;
  if (text.endsWith(REPEATED)) return { ...outcome, result };
  return { ...outcome, result: { ...result, text: `${text}${text.endsWith('\n') ? '' : '\n'}${REPEATED}` } };
}
