import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Row, Setting } from '../figure.ts';
import { type LoadResult, productTurns, type Turns } from '../load/product-turns.ts';
import { sizeOf } from '../memory-size.ts';
import { monotonicMs } from '../monotonic-ms.ts';
import type { PolledCall } from '../poll.ts';
import { spread } from '../render.ts';
import { summarise } from '../statistics.ts';
import { STORED_SESSIONS } from '../store/stock.ts';

/** So many sessions work at once. */
const TURNS = 64;
/** Of each answer: some three seconds, as a fast model speaks. */
const DELTAS = 300;
const PAUSE_MS = 10;
const MODEL = `together-${TURNS}-${DELTAS}-${PAUSE_MS}`;

/** Many sessions at once in a home with many stored ones. */
export const load: Figure = {
  name: 'load',
  async measure(setting) {
    const ours = await productTurns(setting, { model: MODEL, turns: TURNS });
    const theirs = await bareTurns(setting, { model: MODEL, turns: TURNS });
    return [
      acknowledged(`${TURNS} at once, to idle sessions of ${STORED_SESSIONS} stored ones`, ours.sent),
      acknowledged(`${TURNS} more, one every 20 ms while all answers stream`, ours.sentMeanwhile),
      answered(`\`Status\` asked every 20 ms while the ${TURNS} runs start`, ours.polledAtStart, ours),
      answered('the same while all answers stream', ours.polledMeanwhile, ours),
      listed('list of 50 sessions while all answers stream', ours.listed),
      listed(`list of all ${STORED_SESSIONS + TURNS} sessions, likewise`, ours.listedAll),
      {
        what: `memory (PSS), all processes while ${TURNS} answers stream (${ours.processes})`,
        product: `${ours.megabytes.toFixed(0)} MB`,
        bare: `${theirs.megabytes.toFixed(0)} MB`,
        ratio: `${(ours.megabytes / theirs.megabytes).toFixed(2)}×`,
        target: { text: '≤ 1,600 MB', limit: 1_600, value: ours.megabytes },
      },
      {
        what: `wall of ${TURNS} answers of ${DELTAS} deltas, ${PAUSE_MS} ms apart: first message sent to last run settled`,
        product: `${ours.wallMs.toFixed(0)} ms, all streaming after ${ours.speakingMs.toFixed(0)}, measured until ${ours.measuredMs.toFixed(0)} (${ours.deltas} events)`,
        bare: `${theirs.wallMs.toFixed(0)} ms`,
        ratio: `${(ours.wallMs / theirs.wallMs).toFixed(2)}×`,
      },
    ];
  },
};

function acknowledged(what: string, times: readonly number[]): Row {
  const { p95 } = summarise(times);
  const target = { text: 'p95 ≤ 150 ms', limit: 150, value: p95 };
  const sent = `\`SendMessage\` acknowledged: ${what}`;
  return { what: sent, product: percentiles(times), bare: 'none', ratio: '', target };
}

function answered(what: string, calls: readonly PolledCall[], { ownDelayMs }: LoadResult): Row {
  const times = calls.map(({ ms }) => ms);
  const { p99 } = summarise(times);
  return {
    what: `${what}: the event loop, seen from outside`,
    product: `${percentiles(times)} (the loop that asks: p99 ${ownDelayMs.toFixed(0)})`,
    bare: 'none',
    ratio: '',
    target: { text: 'p99 ≤ 50 ms', limit: 50, value: p99 },
  };
}

function listed(what: string, times: readonly number[]): Row {
  const { median } = summarise(times);
  const target = { text: '≤ 50 ms', limit: 50, value: median };
  return { what, product: spread(times, ' ms'), bare: 'none', ratio: '', target };
}

function percentiles(times: readonly number[]): string {
  const { median, p95, p99, max, count } = summarise(times);
  const shown = [median, p95, p99, max].map((value) => value.toFixed(0));
  return `p50 ${shown[0]} ms, p95 ${shown[1]}, p99 ${shown[2]}, max ${shown[3]} (${count})`;
}

/** Rarely: a sample takes long with so many processes, and the clients share the machine with it. */
const SAMPLE_MS = 1_000;

interface BareResult {
  /** From the start of the first to the end of the last, milliseconds. */
  readonly wallMs: number;
  /** The largest sum seen, MB. */
  readonly megabytes: number;
}

/** As many bare clients at once, each a process of its own. */
async function bareTurns({ bare }: Setting, { model, turns }: Turns): Promise<BareResult> {
  const pids: number[] = [];
  let running = true;
  const begin = monotonicMs();
  const runs = Array.from({ length: turns }, () => bare.run(model, (pid) => pids.push(pid)));
  const ended = Promise.all(runs).finally(() => {
    running = false;
  });
  const sample = async (): Promise<number> => {
    let peak = 0;
    while (running) {
      await sleep(SAMPLE_MS);
      peak = Math.max(peak, sizeOf(pids));
    }
    return peak;
  };
  const [megabytes] = await Promise.all([sample(), ended]);
  return { wallMs: monotonicMs() - begin, megabytes };
}
