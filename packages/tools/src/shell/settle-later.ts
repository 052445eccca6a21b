import {
  BulkheadError,
  type CommandEffects,
  describeError,
  type GoneOn,
  type SettleCommand,
} from '@bulkhead/protocol';
import { type Settled, settleTransaction } from './settle-transaction.ts';
import type { StartedCommand } from './started-command.ts';

/** Ended before its box was made, or its launcher was lost. */
const LOST: Settled = { kept: false, effects: undefined, reason: 'how it ended is not known' };

/**
 * Gets a verdict on what ended background processes wrote, then keeps or discards it. Holds their
 * folder meanwhile.
 *
 * @throws BulkheadError `worker_failed` if it is unknown whether the changes were kept; `cancelled`
 * without a decision: then they wait
 */
export async function settleLater(
  started: Pick<StartedCommand, 'child' | 'later'>,
  goneOn: GoneOn,
  settle: SettleCommand,
  signal: AbortSignal,
): Promise<Settled> {
  const { later } = started;
  if (later === undefined) return LOST;
  using _ = await later.turn(signal);
  return await settleListed(started, goneOn, later.list(), settle, signal);
}

/** The same for a list that was made, by a caller that holds the folder. */
export async function settleListed(
  { child, later }: Pick<StartedCommand, 'child' | 'later'>,
  goneOn: GoneOn,
  listed: Promise<CommandEffects>,
  settle: SettleCommand,
  signal: AbortSignal,
): Promise<Settled> {
  if (later === undefined) return LOST;
  const effects = listed.then((known) => ({ ...known, goneOn }));
  const ended = effects.then(({ status }) => status);
  for (const promise of [effects, ended]) promise.catch(() => {});
  const transaction = {
    ended,
    effects,
    stop: () => {},
    settle: (commit: boolean) => later.settle(commit),
  };
  const started = { child, recover: () => later.recover(), [Symbol.asyncDispose]: async () => {} };
  // The launcher outlives a cancelled list: the changes are in its hands.
  return await settleTransaction(started, transaction, orWait(settle, signal), NEVER);
}

const NEVER = new AbortController().signal;

/** Throws `cancelled` without a decision. */
function orWait(settle: SettleCommand, signal: AbortSignal): SettleCommand {
  return async (effects) => {
    try {
      signal.throwIfAborted();
      const settlement = await settle(effects);
      signal.throwIfAborted();
      return settlement;
    } catch (cause) {
      const why = signal.aborted ? 'it was cancelled' : describeError(cause);
      throw new BulkheadError('cancelled', `it has ended, and its changes wait for a decision: ${why}`, {
        cause,
      });
    }
  };
}
