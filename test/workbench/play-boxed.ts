import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineClient } from '@bulkhead/client';
import type { ApprovalScope, SessionEvent } from '@bulkhead/protocol';
import { ApprovalAnswer, ApprovalMode } from '@bulkhead/protocol/client';
import { ofType, parseEventLine } from '../../e2e/support/event-lines.ts';
import { OFFLINE_TITLES, Stage } from '../../e2e/support/stage.ts';
import { masked } from './masks.ts';
import { type Command, commandsOf, type Piece } from './piece.ts';
import { environmentOf, type Place, withPort } from './place.ts';
import type { Play, Played } from './play.ts';
import { BEGIN_MS, LIMIT_SECONDS, signalNumber } from './play-plain.ts';
import { readTree } from './read-tree.ts';

/** For approvals, commits and a busy machine. */
const PATIENCE_MS = LIMIT_SECONDS * 2_000;
/** A line that Bulkhead adds below the output of a command. */
export const NOTE = /^(?:\[.*\]|[+~-] .*|… and \d+ more)$/;

/**
 * An engine of the built system with its default policy, whose model makes exactly the calls of the
 * pieces. Every question is answered as by a person who says yes, and counted.
 */
export class BoxedPlayer implements AsyncDisposable {
  readonly #stage: Stage;
  /** The calls of messages that are being answered, by the message's text. */
  readonly #calls: Map<string, Command>;
  #messages = 0;

  private constructor(stage: Stage, calls: Map<string, Command>) {
    this.#stage = stage;
    this.#calls = calls;
  }

  static async open(): Promise<BoxedPlayer> {
    const stage = new Stage();
    const calls = new Map<string, Command>();
    await stage.model(({ bodyText }) => answer(bodyText, calls), { models: OFFLINE_TITLES });
    const player = new BoxedPlayer(stage, calls);
    const { code, stderr } = await stage.cli(['start', '--daemon'], {
      env: environmentOf(player.home, '/tmp'),
      timeoutMs: 120_000,
    });
    if (code === 0) return player;
    await stage[Symbol.asyncDispose]();
    throw new Error(`the engine did not start: ${stderr}`);
  }

  /** The home folder of the person who runs the engine. */
  get home(): string {
    return this.#stage.userHome;
  }

  async play(piece: Piece, place: Place, port: number): Promise<Play> {
    const commands: Played[] = [];
    const sessions: string[] = [];
    using client = await this.#stage.client();
    try {
      if (piece.toolchains === true) await allowPrograms(client);
      for (const step of piece.steps) {
        const together = commandsOf(step).map(async (command, index) => {
          sessions[index] ??= (await client.call('createSession', { workingFolder: place.folder })).sessionId;
          return await this.#playOne(
            sessions[index],
            { ...command, run: withPort(command.run, port) },
            place,
          );
        });
        commands.push(...(await Promise.all(together)));
      }
    } finally {
      for (const sessionId of sessions) await client.call('deleteSession', { sessionId });
    }
    return { commands, tree: readTree(place.top, place.masks, process.getuid?.() === 0) };
  }

  async #playOne(sessionId: string, command: Command, place: Place): Promise<Played> {
    this.#messages += 1;
    const content = `play-${this.#messages}.`;
    this.#calls.set(content, command);
    const events = await this.#events(sessionId, content);
    this.#calls.delete(content);
    if (command.background) await sleep(BEGIN_MS);
    return played(command, events, place);
  }

  /** Sends a message and returns its events when it is settled, or when the patience ends. */
  async #events(sessionId: string, content: string): Promise<readonly SessionEvent[]> {
    using client = await this.#stage.client();
    const options = { approve: ApprovalMode.ASK, dryRun: false, maxRounds: 0, model: '', clientTools: [] };
    await client.call('sendMessage', { sessionId, messageId: content, content, delivery: 0, options });
    const events: SessionEvent[] = [];
    let turn = '';
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PATIENCE_MS);
    try {
      for await (const { json } of client.stream(
        'watch',
        { sessionId, afterSeq: 0, follow: true },
        stop.signal,
      )) {
        const event = parseEventLine(json);
        if (event.type === 'agent_start' && event.message === content) turn = event.turn;
        if (turn !== '' && event.turn === turn) events.push(event);
        if (event.type === 'approval_requested')
          await client.call('decideApproval', {
            sessionId,
            approvalId: event.approval,
            actionHash: event.hash,
            answer: widest(event.scopes),
          });
        if (event.type === 'settled' && event.message === content) break;
      }
    } finally {
      clearTimeout(timer);
    }
    return events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stage[Symbol.asyncDispose]();
  }
}

/** A person has said so when they set Bulkhead up. */
async function allowPrograms(client: EngineClient): Promise<void> {
  const { toolchains } = await client.call('listToolchains', {});
  const open = toolchains.filter(({ allowed, programs }) => !allowed && programs.length > 0);
  const chosen = open.map(({ place, digest }) => ({ place, digest }));
  await client.call('allowToolchains', { toolchains: chosen });
}

/** Approval for all of a piece, where that is offered: each piece has a session of its own. */
function widest(scopes: readonly ApprovalScope[] = []): ApprovalAnswer {
  return scopes.includes('session') ? ApprovalAnswer.ALLOW_SESSION : ApprovalAnswer.ALLOW_ONCE;
}

/** The model: it makes the call of the last message, and stops when that was answered. */
function answer(bodyText: string, calls: ReadonlyMap<string, Command>) {
  const [last] = [...calls.keys()]
    .map((content) => ({ content, at: bodyText.lastIndexOf(`"${content}`) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => b.at - a.at);
  const call = calls.get(last?.content ?? '');
  if (last === undefined || call === undefined || bodyText.includes('"role":"tool"', last.at))
    return { text: 'done' };
  const { run: command, background } = call;
  const args = background ? { command, background } : { command, timeout_seconds: LIMIT_SECONDS };
  return { toolCalls: [{ name: 'bash', args }] };
}

function played({ run, background }: Command, events: readonly SessionEvent[], place: Place): Played {
  const [result] = ofType(events, 'tool_output');
  const verdicts = ofType(events, 'shield_verdict');
  const questions = ofType(events, 'approval_requested').map((question) => {
    const verdict = verdicts.findLast(({ seq }) => seq < question.seq);
    return `${verdict?.rule ?? ''}: ${oneLine(question.reason)}`;
  });
  const blocked = verdicts
    .filter(({ decision }) => decision === 'block')
    .map(({ rule, reason }) => `${rule}: ${oneLine(reason)}`);
  if (result === undefined) {
    const [end] = ofType(events, 'settled');
    const refusals = [...blocked, `no result: ${end?.error?.message ?? end?.outcome ?? 'not settled'}`];
    return { run, exit: 'timeout', output: '', questions, refusals };
  }
  const { output, notes } = splitNotes(result.text);
  const discarded = /^\[nothing it changed was kept.*$/m.exec(notes)?.[0];
  const unboxed = /^the box could not be set up.*$/m.exec(result.text)?.[0];
  const refusals = [
    ...blocked,
    ...(discarded === undefined ? [] : [discarded]),
    ...(unboxed === undefined ? [] : [unboxed]),
  ];
  const rest = { run, questions, refusals };
  if (background) return { ...rest, exit: undefined, output: '' };
  const withNotes = masked(result.text, place.masks);
  return { ...rest, exit: exitOf(notes), output: masked(output, place.masks), withNotes };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** Splits what Bulkhead added below the output of a command. */
export function splitNotes(text: string): { readonly output: string; readonly notes: string } {
  const lines = (text === '(no output)' ? '' : text).split('\n');
  let end = lines.length;
  while (end > 0 && NOTE.test(lines[end - 1] ?? '')) end -= 1;
  return { output: lines.slice(0, end).join('\n'), notes: lines.slice(end).join('\n') };
}

function exitOf(notes: string): Played['exit'] {
  if (/^\[(?:stopped: )?the time limit/m.test(notes)) return 'timeout';
  const signal = /^\[killed by (\w+)\]$/m.exec(notes)?.[1];
  if (signal !== undefined) return 128 + signalNumber(signal);
  return Number(/^\[exit code (\d+)\]$/m.exec(notes)?.[1] ?? 0);
}
