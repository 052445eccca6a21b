import type { SeededRandom } from '@bulkhead/testkit/simulation';

/** A person's action, once. Times are virtual milliseconds from the start. */
export type PersonAct =
  | {
      readonly act: 'send';
      readonly at: number;
      readonly session: number;
      readonly messageId: string;
      readonly delivery: Delivery;
      readonly approve: 'deny' | 'ask' | 'allow';
      readonly dryRun: boolean;
    }
  /** The current run, or one message, waiting or running. */
  | { readonly act: 'cancel'; readonly at: number; readonly session: number; readonly messageId: string }
  | { readonly act: 'compact'; readonly at: number; readonly session: number };

type Delivery = 'follow_up' | 'steer' | 'interrupt' | 'invoke';

const DELIVERIES = { follow_up: 55, steer: 25, interrupt: 12, invoke: 8 } as const;

/** One to three people with a session each, and one to five messages for each. */
export function writeScript(random: SeededRandom): {
  readonly sessions: number;
  readonly acts: readonly PersonAct[];
} {
  const sessions = random.between(1, 3);
  const hurry = random.pick([20, 200, 5_000]);
  const acts: PersonAct[] = [];
  for (let session = 0; session < sessions; session += 1) {
    let at = 0;
    for (let number = random.between(1, 5); number > 0; number -= 1) {
      const messageId = `m${session}.${number}`;
      const approve = random.weighted({ ask: 5, allow: 3, deny: 2 });
      const dryRun = random.chance(0.05);
      acts.push({
        act: 'send',
        at,
        session,
        messageId,
        delivery: random.weighted(DELIVERIES),
        approve,
        dryRun,
      });
      at += random.below(hurry);
      if (random.chance(0.15)) acts.push({ act: 'cancel', at, session, messageId: '' });
      if (random.chance(0.08)) acts.push({ act: 'cancel', at, session, messageId });
      if (random.chance(0.08)) acts.push({ act: 'compact', at, session });
    }
  }
  return { sessions, acts };
}
