import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { isThemeName, type ThemeName } from '@bulkhead/tui';

/** A file of this is not ours, bytes. */
const MAX_BYTES = 4_096;

interface RememberedState {
  readonly theme: ThemeName | undefined;
  /** True for somebody who never came as far as a session. */
  readonly firstVisit: boolean;
}

/**
 * What the terminal UI remembers of a person, in `state/terminal.json` of the home: the theme, and that they were here. It is the
 * client's own and says nothing to the engine. What is not as it was written is as if it were not there.
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
    return { theme: isThemeName(theme) ? theme : undefined, firstVisit: stored === undefined };
  }

  /** Remembers a theme. @throws BulkheadError `not_available` if it can't be written */
  keepTheme(theme: ThemeName): void {
    try {
      this.#write({ theme });
    } catch (cause) {
      throw new BulkheadError(
        'not_available',
        `the theme is used, but not kept: ${this.#path} can't be written`,
        {
          fix: 'See whether that folder is yours, and has room.',
          cause,
        },
      );
    }
  }

  /** Remembers that somebody was here. Where that can't be written, they are told the same again next time. */
  keepVisit(): void {
    const { theme, firstVisit } = this.read();
    if (!firstVisit) return;
    try {
      this.#write({ theme });
    } catch {
      // Not worth a word.
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

  /** Whole or not at all: another window may read it at this moment. */
  #write(state: { readonly theme: ThemeName | undefined }): void {
    const unfinished = `${this.#path}.${process.pid}.part`;
    writeFileSync(unfinished, `${JSON.stringify({ version: 1, ...state })}\n`, { mode: 0o600 });
    renameSync(unfinished, this.#path);
  }
}
