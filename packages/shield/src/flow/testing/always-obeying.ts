import type { FlowSession } from '../flow-session.ts';
import { callOf } from './test-session.ts';

/**
 * A call that a text orders; `{secret}` in an argument is replaced by the secret, if the model has
 * seen it.
 */
export interface Order {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The model's environment: the results of its calls, by tool name, and the orders in each text. */
export interface World {
  readonly results: Readonly<Record<string, string>>;
  readonly secret: string;
  /** Orders in a tool's result, by name of the tool. */
  readonly orders: Readonly<Record<string, readonly Order[]>>;
}

/** A call that was allowed to leave. */
export type Left = Order;

/**
 * A model that obeys every text it reads: it makes the user's calls in order, and after each all
 * calls that the result orders. Calls that are not allowed are skipped, and no one answers
 * questions.
 * @returns the executed calls
 */
export function obey(session: FlowSession, own: readonly Order[], world: World): readonly Left[] {
  const made: Left[] = [];
  const pending = [...own];
  let known = '';
  while (pending.length > 0) {
    const order = pending.shift();
    if (order === undefined) break;
    const call = callOf(order.tool, filled(order.args, known));
    if (session.decide(call).decision !== 'allow') continue;
    made.push({ tool: call.tool, args: call.arguments });
    const result = world.results[call.tool] ?? 'done';
    session.observeResult(call, result);
    if (result.includes(world.secret)) known = world.secret;
    if (own.includes(order)) pending.unshift(...(world.orders[call.tool] ?? []));
  }
  return made;
}

function filled(args: Readonly<Record<string, unknown>>, secret: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('{secret}', secret) : value,
    ]),
  );
}
