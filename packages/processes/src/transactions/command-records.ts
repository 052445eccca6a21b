import { mkdirSync, writeSync } from 'node:fs';
import { Descriptor, listEntries, removeIfThere, systemCode } from '@bulkhead/files';
import { BulkheadError, type Redaction } from '@bulkhead/protocol';
import type { BackgroundCommand, CommandRecords } from '@bulkhead/tools';
import * as z from 'zod';

const LOST =
  'what it changed in its folder is lost, except what was kept at quiet moments: the engine ended before';
const KEPT = 'what it changed in its folder was kept';
const WRITTEN = 'it wrote its folder directly';
const ENDING = '.json';
/** Older ones are forgotten: no one has looked at them for long. */
const MOST_LOST = 100;
const MOST_BYTES = 64 * 1024;
/** In characters, each of at most six bytes in a record. */
const MOST_OF_COMMAND = 8_192;

const recordSchema = z.object({
  id: z.string(),
  action: z.string(),
  sessionId: z.string(),
  workingFolder: z.string(),
  command: z.string(),
  outputPath: z.string(),
  held: z.boolean(),
});

interface RecordParts {
  /** In the home. */
  readonly folder: string;
  /** False for sessions of which nothing may be written, and those that are deleted. */
  readonly isKept: (sessionId: string) => boolean;
  /** True if the later changes of that action were committed. */
  readonly wasKept: (actionId: string) => boolean;
  /** Redacts the command lines. */
  readonly redaction: Pick<Redaction, 'redact'>;
  /** Receives the reason if a record can't be written; the command goes on. */
  readonly onError: (error: unknown) => void;
}

/**
 * `<folder>/<id>.json` for each background command of which something is left to be settled. One that
 * is there when the engine starts ended with an earlier engine. By then no one can tell what it had
 * changed, so it is named, and not silently lost. Touches only regular files of that name and of
 * limited size, in a folder that is no link.
 */
export class KeptCommandRecords implements CommandRecords {
  readonly lost: readonly BackgroundCommand[];
  readonly #parts: RecordParts;

  /** Makes the folder if it is missing. */
  constructor(parts: RecordParts) {
    this.#parts = parts;
    let lost: readonly BackgroundCommand[] = [];
    try {
      mkdirSync(parts.folder, { recursive: true, mode: 0o700 });
      using folder = openFolder(parts.folder);
      const records = recordsIn(folder).map(({ name, text }) => ({ name, command: this.#parse(name, text) }));
      lost = records.flatMap(({ command }) => command ?? []).slice(-MOST_LOST);
      const named = new Set(lost.map(({ id }) => `${id}${ENDING}`));
      for (const { name } of records) if (!named.has(name)) removeIfThere(folder, Buffer.from(name));
    } catch (error) {
      parts.onError(error);
    }
    this.lost = lost;
  }

  begun(command: BackgroundCommand, held: boolean): void {
    if (!this.#parts.isKept(command.sessionId)) return;
    const { redaction, onError } = this.#parts;
    const line = redaction.redact(command.command).slice(0, MOST_OF_COMMAND);
    const record = recordSchema.parse({ ...command, command: line, held });
    try {
      using folder = openFolder(this.#parts.folder);
      using file = Descriptor.create(folder, nameOf(command.id), 0o600);
      const bytes = Buffer.from(JSON.stringify(record));
      // Not flushed: a power cut may take it, as it took the command.
      for (let at = 0; at < bytes.length; ) at += writeSync(file.fd, bytes, at);
    } catch (error) {
      onError(error);
    }
  }

  over(id: string): void {
    try {
      using folder = openFolder(this.#parts.folder);
      removeIfThere(folder, nameOf(id));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') this.#parts.onError(error);
    }
  }

  /** Undefined for one that a crash has cut off, or whose session is gone. */
  #parse(name: string, text: string): BackgroundCommand | undefined {
    try {
      const { held, ...about } = recordSchema.parse(JSON.parse(text));
      if (name !== `${about.id}${ENDING}` || !this.#parts.isKept(about.sessionId)) return undefined;
      const wasKept = () => this.#parts.wasKept(about.action);
      return {
        ...about,
        pid: 0,
        ended: 'it ended with the engine',
        // Recovery comes first: it may find that a commit had been completed.
        get remarks() {
          if (!held) return [WRITTEN];
          return [wasKept() ? KEPT : LOST];
        },
      };
    } catch {
      return undefined;
    }
  }
}

function nameOf(id: string): Buffer {
  return Buffer.from(`${id}${ENDING}`);
}

/** @throws BulkheadError `internal` if it is a link or no folder; the system's error */
function openFolder(path: string): Descriptor {
  using guard = new DisposableStack();
  const folder = guard.use(Descriptor.ofTrustedFile(path));
  if (!folder.stat().isDirectory()) throw new BulkheadError('internal', `${path} is no folder`);
  guard.move();
  return folder;
}

interface RecordText {
  readonly name: string;
  readonly text: string;
}

/** By name: the ids of actions sort by time. */
function recordsIn(folder: Descriptor): readonly RecordText[] {
  return listEntries(folder)
    .map(({ name }) => name)
    .filter((name) => name.toString().endsWith(ENDING))
    .flatMap((name) => recordOf(folder, name) ?? [])
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Undefined for what is no record, or can't be read. */
function recordOf(folder: Descriptor, name: Buffer): RecordText | undefined {
  try {
    using entry = Descriptor.ofEntry(folder, name);
    if (!entry.stat().isFile()) return undefined;
    using content = entry.openContent();
    const bytes = content.readUpTo(MOST_BYTES);
    return bytes && { name: name.toString(), text: bytes.toString() };
  } catch {
    return undefined;
  }
}
