import { createInterface } from 'node:readline';
import { type EngineLink, expandEntry } from '@bulkhead/client';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { firstLine } from '@bulkhead/protocol/transcript';
import { type Environment, hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { chatNotices } from '../notices.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import type { ChatRequest } from './chat-request.ts';
import { findPlace, type SessionPlace, sessionOf, tellHowToGoOn, tellOtherFolder } from './find-place.ts';
import { type RunMessage, runMessage } from './run-message.ts';
import { tellSandbox } from './sandbox-banner.ts';
import { tellUnusedKeys } from './shell-keys.ts';
import { tellMode } from './tell-mode.ts';

/** Lines within this time of one another form one paste, milliseconds. */
const PASTE_MS = 25;

/**
 * The chat without a screen: each entry is a `run` in the same session, printed as `run` prints it.
 * Ctrl-C cancels the run; a second one leaves, as does an interrupt between two runs. The end of
 * the input (Ctrl-D) leaves too.
 *
 * @returns the exit code
 * @throws BulkheadError if there is no engine, or for a session that can't be used
 */
export async function runLoop(request: ChatRequest, environment: Environment): Promise<number> {
  const left = new AbortController();
  const leaving = new Promise<void>((resolve) => {
    left.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let running: AbortController | undefined;
  using _interrupts = environment.onInterrupt(() => {
    if (running === undefined || running.signal.aborted) left.abort();
    running?.abort();
  });
  new Output(environment.stdout, environment.env).gone.addEventListener('abort', () => left.abort());
  try {
    const stderr = new Output(environment.stderr, environment.env);
    const { insecureNoSandbox } = request;
    const opening = { insecureNoSandbox, signal: left.signal };
    const { link } = await openEngine(homeOf(environment), environment, opening);
    using _link = link;
    const place = await begin(link, request, environment, stderr);
    const entries = hasPerson(environment)
      ? typedEntries(environment, request.offTheRecord ? 'off the record> ' : '> ', stderr, left.signal)
      : createInterface({ input: environment.stdin, terminal: false, signal: left.signal });
    for await (const entry of entries) {
      running = new AbortController();
      const { signal } = running;
      await Promise.race([leaving, answer(entry, { link, place, request, environment, stderr, signal })]);
      running = undefined;
      if (left.signal.aborted) break;
    }
    if (left.signal.aborted) return EXIT.cancelled;
    tellHowToGoOn(place.sessionId, request.offTheRecord, stderr);
    return EXIT.completed;
  } catch (cause) {
    if (left.signal.aborted) return EXIT.cancelled;
    throw cause;
  }
}

async function begin(
  link: EngineLink,
  request: ChatRequest,
  environment: Environment,
  stderr: Output,
): Promise<SessionPlace> {
  const status = await link.once((client) => client.call('status', { workingFolder: request.workingFolder }));
  tellSandbox(status, request.insecureNoSandbox, stderr);
  tellUnusedKeys(status, environment.env, stderr);
  tellMode(request, stderr);
  for (const notice of chatNotices(status)) stderr.line(`note: ${stderr.safe(notice)}`);
  const place = await findPlace(link, await sessionOf(link, request), request);
  const loss = place.known?.loss ?? '';
  if (loss !== '') {
    const accept = `bulkhead sessions accept-loss ${stderr.safe(place.sessionId)}`;
    stderr.line(stderr.palette.red(`read-only: ${stderr.safeLine(loss)}`));
    stderr.line(`restore a backup, or continue without the missing records: ${accept}`);
  }
  tellOtherFolder(place, request.workingFolder, stderr);
  if (hasPerson(environment)) {
    const facts = [`session ${place.sessionId}`, request.modelOverride || status.model, place.folder];
    stderr.line(stderr.palette.dim(facts.map((fact) => stderr.safeLine(fact)).join(' · ')));
  }
  return place;
}

/** A failed message ends the loop only if the engine is gone. */
async function answer(
  entry: string,
  turn: {
    readonly link: EngineLink;
    readonly place: SessionPlace;
    readonly request: ChatRequest;
    readonly environment: Environment;
    readonly stderr: Output;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { link, place, request, environment, stderr, signal } = turn;
  if (entry.trim() === '') return;
  try {
    const content = await contentOf(entry, place.folder, link, stderr, signal);
    if (content === undefined) return;
    const message: RunMessage = {
      content,
      images: [],
      json: false,
      approve: hasPerson(environment) ? 'ask' : 'deny',
      model: request.modelOverride,
      baseUrl: '',
      maxRounds: 0,
      dryRun: request.dryRun,
    };
    await runMessage(link, place.sessionId, message, environment, signal);
  } catch (cause) {
    if (signal.aborted) return stderr.line('bulkhead: cancelled');
    if (BulkheadError.is(cause) && cause.code === 'not_running') throw cause;
    stderr.line(stderr.palette.red(stderr.safeLine(describeError(cause))));
  }
}

/**
 * A line `/NAME words` becomes the text of the template of that name. Without one it is not sent:
 * it was meant as a command, which needs the screen.
 */
async function contentOf(
  entry: string,
  folder: string,
  link: EngineLink,
  stderr: Output,
  signal: AbortSignal,
): Promise<string | undefined> {
  const word = /^\s*(\/(?:[a-z0-9-]+|\?))(?:\s|$)/.exec(entry)?.[1];
  if (word === undefined || entry.trim().includes('\n')) return entry;
  const text = await link.repeat((client) => expandEntry(client, folder, entry), signal);
  if (text === undefined) {
    const why = 'there is no such template; commands need the screen (`bulkhead chat` without --no-tui)';
    stderr.line(`not sent: ${stderr.safeLine(word)}: ${why}`);
  } else {
    stderr.line(stderr.palette.dim(`(sent: ${stderr.safeLine(firstLine(text))})`));
  }
  return text;
}

/**
 * Reads entries of a person, with readline's keys. The terminal is free between two entries: a
 * question of a run can read it, and Ctrl-C is a signal. Lines that arrive together are one entry:
 * a pasted text must not be sent line by line.
 */
async function* typedEntries(
  { stdin, stderr: stream }: Environment,
  prompt: string,
  stderr: Output,
  left: AbortSignal,
): AsyncGenerator<string> {
  let history: string[] = [];
  let rest = '';
  while (true) {
    stderr.freshLine();
    const reader = createInterface({
      input: stdin,
      output: stream,
      terminal: true,
      prompt: stderr.palette.cyan(prompt),
      history,
      signal: left,
    });
    const lines: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    let paste: NodeJS.Timeout | undefined;
    reader.on('history', (entered) => {
      history = [...entered];
    });
    reader.on('line', (line) => {
      lines.push(line);
      clearTimeout(paste);
      paste = setTimeout(resolve, PASTE_MS);
    });
    reader.on('close', resolve);
    reader.on('SIGINT', () => {
      if (reader.line === '') stderr.line('Ctrl-D leaves.');
      else stream.write('^C\n');
      reader.write(null, { ctrl: true, name: 'e' });
      reader.write(null, { ctrl: true, name: 'u' });
      reader.prompt();
    });
    reader.prompt();
    if (rest !== '') reader.write(rest);
    await promise;
    rest = reader.line;
    reader.close();
    if (lines.length === 0) {
      stream.write('\n');
      return;
    }
    yield lines.join('\n');
  }
}
