import type { Row } from './figure.ts';
import { describeMachine } from './machine.ts';
import { renderTable } from './render.ts';

export interface RunNotes {
  readonly date: Date;
  readonly seconds: number;
  /** Load average before and after. */
  readonly loads: readonly [before: string, after: string];
}

/** The text of `RESULTS.md`. */
export function renderResults(rows: readonly Row[], { date, seconds, loads }: RunNotes): string {
  return `# Results of \`npm run bench\`

${renderTable(rows)}

Measured on ${date.toISOString().slice(0, 10)} in ${seconds} s on ${describeMachine()}. Load average ${loads[0]} before and ${loads[1]} after:
above the number of cores, others were at work on the machine; then trust ratios more than times.

- Values are medians, in brackets the smallest and the largest. A ratio is the median of the ratios of neighbours: product and
  bare client take turns.
- The bare client is \`bench/src/bare-client.mjs\`: one \`fetch\` on the same Node.js to the same server, its stream read and printed, the
  tool calls done in its own process without any check.
- CPU per delta is the user and system time of CLI, supervisor, engine, agents and workers, ended ones too, for an answer of many
  deltas less that for an answer of one. The server sends each delta by itself; where they come as fast as it can,
  the product passes many on as one event (the \`--json\` rows say how many), so that row says little of the price of an event.
- Memory is the proportional set size (PSS) of the same processes, in millions of bytes; the runtime is a copy that no other
  process shares. A peak is the largest of samples some 10 ms apart.
- Prompt tokens are those of the text of the messages and of the JSON of the tools.
- The many turns are sent by one client, watched by another process, and answered together, so that all stream at once. How late the
  engine's event loop is can be told only from outside: by the time to the answer of a cheap call made every 20 ms, answered or
  not, which holds the delay of the loop that asks too. The bare clients beside them are as many processes as there are turns.
- Stored sessions and messages are put into the database by the product's own store before the engine starts; an empty session
  of the same home does each step beside the long one.
- "To reach" is the table of the design. What it asks beside these rows is not measured yet.
`;
}
