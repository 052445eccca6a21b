import { existsSync } from 'node:fs';
import { connectEngine } from '@bulkhead/client';
import { actionIds, type ListedEntry, listEntries } from '@bulkhead/engine/offline/audit';
import { BulkheadError, matchId, type SessionEvent } from '@bulkhead/protocol';
import { briefArguments, parseEvent } from '@bulkhead/protocol/transcript';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';
import { type ToldStep, verdictLines } from '../why/verdict-lines.ts';

/** Steps of an action; entries searched for the last one. */
const MOST_STEPS = 200;

export const whyCommand: Command = {
  usage: '[ACTION] [--json]',
  about:
    'Tells an action from end to end: who asked, what was judged, by which rule and why, and what came of it.',
  details: [
    'ACTION is an id of `bulkhead audit list`, or at least its first six characters; without it: the last action.',
    'The record works without an engine; the reasons and the call itself come from the session, if it is kept.',
    'For the labels behind a verdict of information flow see `bulkhead ifc explain ACTION`.',
  ],
  takesWords: true,
  options: { ...JSON_OPTION },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [word, ...more] = args.words;
  if (more.length > 0) {
    throw new BulkheadError('usage', `unexpected argument "${more[0]}" for \`why\``, {
      fix: 'Give one id, or none for the last action.',
    });
  }
  const stop = new AbortController();
  using _interrupts = environment.onInterrupt(() => stop.abort());
  const { audit: folder } = homeOf(environment);
  const action = await actionOf(folder, word, stop.signal);
  const entries = await listEntries(folder, { action }, MOST_STEPS, stop.signal);
  const [first] = entries;
  if (first === undefined) throw noAction(word ?? action);
  const events = await eventsOf(first.session, environment, stop.signal);
  const call = callOf(first, events);
  const steps = verdictLines(entries, events);
  const stdout = new Output(environment.stdout, environment.env);
  if (args.flag('json')) {
    const { session, tool } = first;
    stdout.own(`${JSON.stringify({ action, session, tool, call, steps })}\n`);
  } else show(first, call, steps, stdout);
  return EXIT.completed;
}

async function actionOf(folder: string, word: string | undefined, signal: AbortSignal): Promise<string> {
  if (!existsSync(folder)) throw noAction(word);
  if (word !== undefined) {
    const action = matchId(word, await actionIds(folder, signal), 'actions');
    if (action === undefined) throw noAction(word);
    return action;
  }
  const latest = await listEntries(folder, {}, MOST_STEPS, signal);
  const last = latest.findLast(({ action }) => action !== '');
  if (last === undefined) throw noAction(undefined);
  return last.action;
}

function noAction(word: string | undefined): BulkheadError {
  const message = word === undefined ? 'no action has been recorded lately' : `no action ${word}`;
  return new BulkheadError('not_found', message, { fix: 'See `bulkhead audit list`.' });
}

/** None without an engine, or if the session kept no record or was deleted. */
async function eventsOf(
  sessionId: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  try {
    using client = await connectEngine(homeOf(environment));
    for await (const { json } of client.stream('watch', { sessionId, afterSeq: 0, follow: false }, signal)) {
      const event = parseEvent(json);
      if (event?.type === 'shield_verdict' || event?.type === 'tool_call') events.push(event);
    }
  } catch {
    signal.throwIfAborted();
  }
  return events;
}

/** The call of the entry in one line; empty if it is unknown. */
function callOf({ details }: ListedEntry, events: readonly SessionEvent[]): string {
  const facts: Readonly<Record<string, unknown>> =
    typeof details === 'object' && details !== null ? { ...details } : {};
  const { run: turn, call } = facts;
  for (const event of events)
    if (event.type === 'tool_call' && event.turn === turn && event.call === call)
      return briefArguments(event.arguments);
  return '';
}

function show(
  { action, session, tool }: ListedEntry,
  call: string,
  steps: readonly ToldStep[],
  stdout: Output,
): void {
  const { bold, dim } = stdout.palette;
  stdout.line(`${bold(stdout.safeLine(tool))} ${stdout.safeLine(call)}`.trimEnd());
  stdout.line(dim(stdout.safeLine(`action ${action} of session ${session}`)));
  for (const { time, text, reason } of steps) {
    stdout.line(`  ${dim(stdout.safeLine(time))}  ${stdout.safeLine(text)}`);
    if (reason !== undefined && reason !== '') stdout.line(`      ${stdout.safeLine(reason)}`);
  }
}
