import type { MemoryHit, ProfileFiles } from '@bulkhead/memory';
import {
  BulkheadError,
  describeError,
  OWNER_ID,
  type ToolHost,
  type ToolHostCall,
  type ToolPlan,
} from '@bulkhead/protocol';
import type { Label } from '@bulkhead/shield';
import { executionOn } from '@bulkhead/tools';
import { changesOf, type MemoryWriter, sha256 } from './memory-writer.ts';
import { noteText } from './note-text.ts';

/** Plans that are remembered until they are carried out: one for each action under way. */
const MAX_PLANS = 1_000;

interface HostParts {
  readonly files: ProfileFiles;
  readonly writer: Pick<MemoryWriter, 'plan' | 'write'>;
  search(query: string, limit: number): Promise<readonly MemoryHit[]>;
  /** Must be in the session's log before any of it is published. */
  found(call: ToolHostCall, hits: readonly MemoryHit[]): void;
  /** The label of everything a session has read so far: its writes carry it. */
  labelOf(sessionId: string): Label;
  /** False for a session of a program that speaks for itself: it reaches nothing of memory. */
  isOwners(sessionId: string): boolean;
  /** True for a session whose actions are the engine's own, not a model's. */
  isAuto(actionId: string): boolean;
}

/**
 * The host of the memory tools. Writes go to the profile's folder, which no other tool reaches:
 * only text goes in, as list entries, into three files whose names no call chooses.
 */
export function createMemoryHost(parts: HostParts): ToolHost {
  const { files, writer } = parts;
  /** By action: the file it was foretold to change, which is kept for undoing. */
  const plans = new Map<string, string | undefined>();
  const run = async (call: ToolHostCall, signal: AbortSignal): Promise<string> => {
    refusePrograms(parts, call);
    return await executionOn('memory', call).run({
      search: async (query, limit) => {
        const hits = await parts.search(query, limit);
        parts.found(call, hits);
        return hitsText(hits);
      },
      write: async (note) => {
        const foreseen = plans.get(call.actionId);
        plans.delete(call.actionId);
        const record = {
          author: parts.isAuto(call.actionId) ? ('auto' as const) : ('agent' as const),
          session: call.sessionId,
          action: call.actionId,
          label: parts.labelOf(call.sessionId),
        };
        return noteText(await writer.write(note, record, foreseen, signal), false);
      },
    });
  };
  const plan = (call: ToolHostCall): ToolPlan => {
    const { note } = executionOn('memory', call);
    if (note === undefined) return { text: `${call.tool} would be called.`, isError: false, changes: [] };
    refusePrograms(parts, call);
    const planned = writer.plan(note);
    const changes = changesOf(planned);
    plans.set(call.actionId, changes[0]?.path);
    const [oldest] = plans.keys();
    if (plans.size > MAX_PLANS && oldest !== undefined) plans.delete(oldest);
    return { text: noteText(planned, true), isError: false, changes };
  };
  return {
    folder: files.root,
    async execute(call, _update, signal) {
      try {
        return { text: await run(call, signal), isError: false };
      } catch (error) {
        return { text: describeError(error), isError: true };
      }
    },
    async plan(call) {
      try {
        return plan(call);
      } catch (error) {
        return { text: describeError(error), isError: true, changes: [] };
      }
    },
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: hashOf(files, path) })),
  };
}

function refusePrograms({ isOwners }: HostParts, { sessionId, origin }: ToolHostCall): void {
  const isOther = origin !== undefined && origin.sender.id !== OWNER_ID;
  if (isOther || !isOwners(sessionId))
    throw new BulkheadError(
      'not_available',
      "memory is the owner's: a session of a program, or a message of another sender, neither reads nor writes it",
    );
}

function hashOf(files: ProfileFiles, path: string): string | null | undefined {
  try {
    const read = files.readWhole(path);
    return read === undefined ? null : sha256(read.bytes);
  } catch {
    return undefined;
  }
}

/** Most of one answer, characters. */
const MAX_TEXT = 24_000;

/** The hits for a model: the source of each piece, and its lines. */
export function hitsText(hits: readonly MemoryHit[]): string {
  if (hits.length === 0) return 'Nothing found.';
  let left = MAX_TEXT;
  const shown: string[] = [];
  for (const hit of hits) {
    const text = pieceText(hit).slice(0, left);
    shown.push(text);
    left -= text.length;
    if (left <= 0) break;
  }
  return shown.join('\n\n');
}

function pieceText({ path, heading, date, lines: [first, last], text }: MemoryHit): string {
  // Dated headings, those of past sessions among them, say their day already.
  const day = heading.includes(date) ? '' : date;
  const facts = [`${path}:${first}-${last}`, heading, day].filter((fact) => fact !== '');
  return `[${facts.join(' | ')}]\n${text.trim()}`;
}
