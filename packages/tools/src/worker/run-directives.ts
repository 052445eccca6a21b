import type { AttachResponse, InspectFiles } from '@bulkhead/protocol/worker';
import type { BoundTool, WorkerContext } from '../definitions/worker-tool.ts';
import type { GrantedFiles } from '../files/granted-files.ts';
import { hashFile } from '../files/hash-file.ts';
import { openFileForReading } from '../files/open-file.ts';
import { removeTemporary } from '../files/temporary-name.ts';
import { MAX_INSPECTED_PATHS } from '../worker-wire.ts';
import { answerCall } from './answer-call.ts';
import type { Questions } from './questions.ts';
import type { SendEvent, WorkerEventInit } from './send-event.ts';

/**
 * Executes directives until a shutdown or the end of the stream, requests concurrently. Each
 * started request gets exactly one answer, a `ToolFinished` or a `FilesInspected`, whatever
 * happens; requests that still run when the directives end are aborted and awaited only until they
 * answer.
 */
export async function runDirectives(
  directives: AsyncIterable<AttachResponse>,
  tools: readonly BoundTool[],
  context: WorkerContext,
  send: SendEvent,
  questions: Questions,
): Promise<void> {
  const running = new RunningRequests(send);
  try {
    for await (const { directive } of directives) {
      if (directive.case === 'shutdown') return;
      if (directive.case === 'toldProtected') questions.answer(directive.value);
      if (directive.case === 'cancel') running.abort(directive.value.actionId);
      if (directive.case === 'run') {
        const run = directive.value;
        context.files.keepClosed(run.shownAt);
        running.start(run.actionId, (signal) => answerCall(run, tools, context, send, signal));
      }
      if (directive.case === 'inspect') {
        const inspect = directive.value;
        context.files.keepClosed(inspect.shownAt);
        running.start(inspect.requestId, (signal) => answerInspection(inspect, context, signal));
      }
    }
  } finally {
    questions.end();
    await running.end();
  }
}

/** Running requests, by id of call or inspection: a cancel names either. */
class RunningRequests {
  readonly #send: SendEvent;
  readonly #controllers = new Map<string, AbortController>();
  readonly #work = new Set<Promise<void>>();

  constructor(send: SendEvent) {
    this.#send = send;
  }

  /**
   * A second answer under one id would break the wire's promise, so a doubled request is not
   * answered at all.
   * @param answer yields events; the first one that is not too large is sent; must not reject
   */
  start(id: string, answer: (signal: AbortSignal) => Promise<readonly WorkerEventInit[]>): void {
    if (this.#controllers.has(id)) return;
    const controller = new AbortController();
    this.#controllers.set(id, controller);
    const work = answer(controller.signal).then((events) => {
      this.#controllers.delete(id);
      events.find((event) => this.#send(event));
    });
    this.#work.add(work);
    void work.then(() => this.#work.delete(work));
  }

  abort(id: string): void {
    this.#controllers.get(id)?.abort();
  }

  async end(): Promise<void> {
    for (const controller of this.#controllers.values()) controller.abort();
    await Promise.all(this.#work);
  }
}

/**
 * Returns the state of each path, after removing the call's incomplete writes beside it. Never
 * rejects: a failure or an earlier cancellation gives the state unknown.
 */
async function answerInspection(
  { requestId, paths, actionId }: Pick<InspectFiles, 'requestId' | 'paths' | 'actionId'>,
  { files }: Pick<WorkerContext, 'files'>,
  signal: AbortSignal,
): Promise<readonly WorkerEventInit[]> {
  const states: { path: string; hash: string; unknown: boolean }[] = [];
  for (const path of paths) {
    const told = !signal.aborted && paths.length <= MAX_INSPECTED_PATHS;
    if (told && actionId !== '') removeTemporary(files, path, actionId);
    const hash = told ? await inspectFile(files, path, signal) : undefined;
    states.push({ path, hash: hash ?? '', unknown: hash === undefined });
  }
  return [{ case: 'inspected', value: { requestId, states } }];
}

/**
 * Returns the present state of a path [T8]: the SHA-256 of a regular file, null if nothing exists,
 * undefined for anything unknown: a folder, a pipe, a device, a name that may not be read, a place
 * outside, a file too big. Never rejects.
 */
export async function inspectFile(
  files: GrantedFiles,
  path: string,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  try {
    using location = files.locatePossible(path, 'read');
    if (location.stat === undefined) return null;
    await files.refuseProtected(location, path);
    using file = openFileForReading(location, 'it has no content');
    return await hashFile(file, signal);
  } catch {
    // Whatever the failure, the file was not seen.
    return undefined;
  }
}
