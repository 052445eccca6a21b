import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { isThemeName, type ThemeName } from '@bulkhead/tui';

/** A larger file was not written by this program, bytes. */
const MAX_BYTES = 16_384;

/** Most folders for which an offer is remembered. */
const MAX_OFFERED = 200;

interface RememberedState {
  readonly theme: ThemeName | undefined;
  /** Folders for which trust was offered, by the start of the SHA-256 of their path. */
  readonly offered: readonly string[];
  /** True for a person who never reached a session. */
  readonly firstVisit: boolean;
}

/**
 * The terminal UI's memory in `state/terminal.json` of the home: the theme, the folders
 * for which trust was offered, and that the person has used it. It belongs to the client; the engine ignores it. An invalid file is treated as missing.
 */
export class TerminalState {
  readonly #path: string;

  constructor({ state }: Pick<HomeLayout, 'state'>) {
    this.#path = `${state}/terminal.json`;
  }

  read(): RememberedState {
    const stored = this.#parsed();
    const theme =
      typeof stored === 'object' && stored !== null && 'theme' in stored ? stored.theme : undefined;
    const offered =
      typeof stored === 'object' && stored !== null && 'offered' in stored ? stored.offered : [];
    return {
      theme: isThemeName(theme) ? theme : undefined,
      offered: Array.isArray(offered) ? offered.filter((one) => typeof one === 'string') : [],
      firstVisit: stored === undefined,
    };
  }

  /** Remembers a theme. @throws BulkheadError `not_available` if it can't be written */
  keepTheme(theme: ThemeName): void {
    try {
      this.#write({ theme, offered: this.read().offered });
    } catch (cause) {
      throw new BulkheadError(
        'not_available',
        `the theme is used, but not saved: ${this.#path} can't be written`,
        {
          fix: 'Check that you may write to that folder, and that it has free space.',
          cause,
        },
      );
    }
  }

  /**
   * Remembers that a person was here. If that can't be written, they see the same introduction next
   * time.
   */
  keepVisit(): void {
    const { theme, offered, firstVisit } = this.read();
    if (!firstVisit) return;
    try {
      this.#write({ theme, offered });
    } catch {
      // Not worth a message.
    }
  }

  isOffered(folder: string): boolean {
    return this.read().offered.includes(nameOf(folder));
  }

  /** If it can't be written, trust is offered again. */
  keepOffered(folder: string): void {
    const { theme, offered } = this.read();
    try {
      this.#write({ theme, offered: [...offered, nameOf(folder)].slice(-MAX_OFFERED) });
    } catch {
      // Not worth a message.
    }
  }

  #parsed(): unknown {
    try {
      const file = openSync(this.#path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const { size } = fstatSync(file);
        return size > MAX_BYTES ? undefined : JSON.parse(readFileSync(file, 'utf8'));
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  /** Atomic: another window may read the file at this moment. */
  #write(state: Pick<RememberedState, 'theme' | 'offered'>): void {
    const unfinished = `${this.#path}.${process.pid}.part`;
    writeFileSync(unfinished, `${JSON.stringify({ version: 1, ...state })}\n`, { mode: 0o600 });
    renameSync(unfinished, this.#path);
  }
}

function nameOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}
