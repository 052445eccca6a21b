/*
 * One home's share of a campaign. Argument: the options as JSON. Prints one JSON object a line: `{ round }` for each
 * that violated something, and `{ tally }` after each.
 */
import { Campaign } from './campaign.ts';
import { killsIn, NOTHING, plus, tallyOf } from './tally.ts';

interface ShareOptions {
  readonly build: string;
  readonly seed: number;
  readonly kills: number;
  /** First round; the next ones are `stride` apart. */
  readonly from: number;
  readonly stride: number;
  /** Only this one, so often. */
  readonly replay?: { readonly round: number; readonly times: number };
  readonly config: string;
}

const options: ShareOptions = JSON.parse(process.argv[2] ?? '{}');
const campaign = await Campaign.open(options);
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
let tally = NOTHING;

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function isDone(): boolean {
  if (stop.signal.aborted) return true;
  return options.replay === undefined
    ? killsIn(tally) >= options.kills
    : tally.rounds >= options.replay.times;
}

try {
  for (let number = options.replay?.round ?? options.from; !isDone(); ) {
    const { violations, actions, kills, acknowledged, session } = await campaign.round(number);
    if (violations.length > 0)
      say({ round: { number, violations, kills, session, home: campaign.home.root } });
    tally = plus(tally, tallyOf({ kills, acknowledged, actions }));
    say({ tally });
    if (options.replay === undefined) number += options.stride;
  }
  const violations = await campaign.endProblems();
  if (violations.length > 0) {
    campaign.home.keep();
    say({ round: { number: -1, violations, kills: [], session: '', home: campaign.home.root } });
  }
} finally {
  await campaign[Symbol.asyncDispose]();
}
process.exit();
