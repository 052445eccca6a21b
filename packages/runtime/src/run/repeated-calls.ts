import { callsOf } from '@bulkhead/log/session/message-view';
import { BulkheadError } from '@bulkhead/protocol';
import type { AssistantMessage, Message, ToolMessage } from '@bulkhead/protocol/chat';

/**
 * Rounds in a row that repeat, by what they do. Waiting for something by asking again is ordinary
 * work, so equal results have more room than failures.
 */
const LIMITS = { failed: { warn: 3, stop: 6 }, same: { warn: 4, stop: 10 } } as const;

/** Longest sequence of rounds that counts as one repeated step: a call alone, or two that alternate. */
const LONGEST_CYCLE = 2;

/** Shown to a model that repeats itself, behind the last result. Never part of the run. */
const REPEATED_NOTE =
  'Your last rounds made the same calls with the same arguments, and nothing changed in between. ' +
  'Do not repeat them. Try another way, or read more about the cause; if you wait for something, wait ' +
  'longer inside one call. If you are stuck, answer now: say what is done, what failed and what you need. ' +
  'The run ends if this goes on.';

interface RoundFacts {
  /** Calls with their arguments and results: equal for equal rounds. */
  readonly all: string;
  readonly failed: boolean;
}

/**
 * Watches a run for rounds that repeat: the same calls with the same arguments, and either the same
 * results or only failures. A pure function of the run's messages, so a run that continues in
 * another process is judged the same. A message of the person begins anew.
 *
 * @param run its messages, in call order
 * @returns a note for the model; undefined if nothing repeats
 * @throws BulkheadError `round_limit` if the model went on repeating after the note
 */
export function repeatedNote(run: readonly Message[], sessionId: string): string | undefined {
  const rounds = roundsOf(run);
  let note: string | undefined;
  for (let cycle = 1; cycle <= LONGEST_CYCLE; cycle += 1) {
    const times = repetitions(rounds, cycle);
    const isFailure = rounds.slice(-cycle).every(({ failed }) => failed);
    const { warn, stop } = isFailure ? LIMITS.failed : LIMITS.same;
    if (times >= stop) throw stopped(times, isFailure, sessionId);
    if (times >= warn) note = REPEATED_NOTE;
  }
  return note;
}

function stopped(times: number, isFailure: boolean, sessionId: string): BulkheadError {
  const result = isFailure ? 'and each of them failed' : 'with the same result';
  return new BulkheadError(
    'round_limit',
    `the model repeated the same calls ${times} times in a row, ${result}`,
    {
      fix: `Everything done so far is kept. To continue, send another message that says what to do differently: bulkhead run --session ${sessionId} "…"`,
      details: { repeated: times },
    },
  );
}

/** How often the last `cycle` rounds were made in a row. */
function repetitions(rounds: readonly RoundFacts[], cycle: number): number {
  const last = rounds.slice(-cycle);
  if (last.length < cycle) return 0;
  // Two equal rounds are one repeated twice, not a cycle of two.
  if (cycle > 1 && last.every(({ all }) => all === last[0]?.all)) return 0;
  let times = 1;
  while (isSame(rounds.slice(-cycle * (times + 1), -cycle * times), last)) times += 1;
  return times;
}

function isSame(earlier: readonly RoundFacts[], last: readonly RoundFacts[]): boolean {
  return earlier.length === last.length && last.every(({ all }, at) => earlier[at]?.all === all);
}

/** The rounds since the person's last message. */
function roundsOf(run: readonly Message[]): RoundFacts[] {
  const from = run.findLastIndex(({ role }) => role.case === 'user') + 1;
  const rounds: RoundFacts[] = [];
  let open: { readonly answer: AssistantMessage; readonly results: ToolMessage[] } | undefined;
  const close = (): void => {
    if (open !== undefined && open.results.length > 0) rounds.push(factsOf(open.answer, open.results));
  };
  for (const { role } of run.slice(from)) {
    if (role.case === 'assistant') {
      close();
      open = { answer: role.value, results: [] };
    } else if (role.case === 'tool') open?.results.push(role.value);
  }
  close();
  return rounds;
}

function factsOf(answer: AssistantMessage, results: readonly ToolMessage[]): RoundFacts {
  const failed = results.every(({ isError }) => isError);
  const calls = callsOf(answer).map(({ callId, name, argumentsJson }) => {
    const result = results.find((one) => one.callId === callId);
    // Words of a failure often differ (times, ids); that it failed again is what counts.
    return [name, argumentsJson, result?.isError === true ? 'failed' : (result?.text ?? '')];
  });
  return { all: JSON.stringify(calls), failed };
}
