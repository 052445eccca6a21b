import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redaction } from '@bulkhead/protocol';
import type { BackgroundCommand, CommandRecords } from '@bulkhead/tools';
import * as z from 'zod';

const LOST = 'what it changed in its folder is lost: the engine ended before it could be kept';
const KEPT = 'what it changed in its folder was kept';
const WRITTEN = 'it wrote its folder directly';
const ENDING = '.json';
/** Older ones are forgotten: no one has looked at them for long. */
const MOST_LOST = 100;

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
 * changed, so it is named, and not silently lost.
 */
export class KeptCommandRecords implements CommandRecords {
  readonly lost: readonly BackgroundCommand[];
  readonly #parts: RecordParts;

  /** Makes the folder if it is missing. */
  constructor(parts: RecordParts) {
    this.#parts = parts;
    const { folder } = parts;
    let lost: readonly BackgroundCommand[] = [];
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The ids of actions sort by time.
      const names = readdirSync(folder).toSorted();
      lost = names.flatMap((name) => this.#read(name) ?? []).slice(-MOST_LOST);
      const named = new Set(lost.map(({ id }) => `${id}${ENDING}`));
      for (const name of names) if (!named.has(name)) rmSync(join(folder, name), { force: true });
    } catch (error) {
      parts.onError(error);
    }
    this.lost = lost;
  }

  begun(command: BackgroundCommand, held: boolean): void {
    if (!this.#parts.isKept(command.sessionId)) return;
    const { redaction, onError } = this.#parts;
    const record = recordSchema.parse({ ...command, command: redaction.redact(command.command), held });
    try {
      // Not flushed: after a power cut the machine's end says enough.
      writeFileSync(this.#pathOf(command.id), JSON.stringify(record), { mode: 0o600 });
    } catch (error) {
      onError(error);
    }
  }

  over(id: string): void {
    try {
      rmSync(this.#pathOf(id), { force: true });
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  #pathOf(id: string): string {
    return join(this.#parts.folder, `${id}${ENDING}`);
  }

  /** Undefined for one that a crash has cut off, or whose session is gone. */
  #read(name: string): BackgroundCommand | undefined {
    try {
      const { held, ...about } = recordSchema.parse(
        JSON.parse(readFileSync(join(this.#parts.folder, name), 'utf8')),
      );
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
