import type { FileChange, FileState, ToolPlan, ToolResult, ToolUpdate } from '@bulkhead/protocol';
import type { FileState as WireState } from '@bulkhead/protocol/worker';
import { type AnswerReader, violation, type WorkerEvent } from './open-requests.ts';

const HASH = /^[0-9a-f]{64}$/;

/** Reads the messages of a call: progress, passed on to `update`, then its result. */
export function resultReader(update: ToolUpdate): AnswerReader<ToolResult> {
  return (event) => {
    if (event.case === 'progress') {
      update(event.value.text);
      return undefined;
    }
    if (event.case !== 'finished') throw wrongKind(event);
    const { text, isError, display, terminate, changes } = event.value;
    if (changes.length > 0) throw violation('a plan of a call that was to be carried out');
    return {
      text,
      isError,
      ...(display === '' ? {} : { display }),
      ...(terminate ? { terminate } : {}),
    };
  };
}

/** Reads a plan, which comes without progress. */
export const readPlan: AnswerReader<ToolPlan> = (event) => {
  if (event.case !== 'finished') throw wrongKind(event);
  const { text, isError, changes } = event.value;
  return {
    text,
    isError,
    changes: changes.map(
      ({ path, before, after }): FileChange => ({ path, before: hashOf(before), after: hashOf(after) }),
    ),
  };
};

/** Reads the states of `paths`: one for each, in order. */
export function statesReader(paths: readonly string[]): AnswerReader<readonly FileState[]> {
  return (event) => {
    if (event.case !== 'inspected') throw wrongKind(event);
    const { states } = event.value;
    const asked = states.length === paths.length && states.every(({ path }, at) => path === paths[at]);
    if (!asked) throw violation('states of files that nobody asked for');
    return states.map(readState);
  };
}

function readState({ path, hash, unknown }: WireState): FileState {
  if (unknown && hash !== '') throw violation('a hash of a file it says it does not know');
  return { path, hash: unknown ? undefined : hashOf(hash) };
}

function hashOf(text: string): string | null {
  if (text === '') return null;
  if (HASH.test(text)) return text;
  throw violation('a hash that is none');
}

function wrongKind(event: WorkerEvent) {
  return violation(`an answer of the wrong kind (${event.case ?? 'unknown'})`);
}
