import type { Clock } from '@bulkhead/protocol';
import { ProcessTerminal } from '../library/first-parts.ts';
import type { ThemeName } from '../look/style.ts';
import { drawFirstFrame } from './draw-first-frame.ts';
import type { Screen } from './screen.ts';
import type { UiEnd, UiOptions } from './ui-options.ts';

/** The system stops the process within this time, milliseconds. */
const STOPPED_MS = 50;

/** The facts known before the engine answers. */
interface OpenUiOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Working folder of new sessions, absolute. */
  readonly folder: string;
  /** The theme that the person chose before; undefined to follow the environment. */
  readonly theme: ThemeName | undefined;
  /** True for a person who uses the UI for the first time. */
  readonly firstVisit: boolean;
}

/** The drawn terminal UI; `run` supplies its content. */
export interface OpenUi extends Disposable {
  /** Fires when the person leaves before a session exists. */
  readonly left: AbortSignal;
  /** Shows the current wait, in a few words. */
  progress(text: string): void;
  /**
   * Shows a session, and stays until the person leaves.
   *
   * @param sessionId undefined for a new session
   * @throws BulkheadError for a session that can't be shown
   */
  run(options: Omit<UiOptions, 'suspend'>, sessionId: string | undefined): Promise<UiEnd>;
  /** Leaves, as if the person did. */
  leave(): void;
  /** Typed and unsent text: lost with the screen unless the caller keeps it. */
  readonly unsent: string;
}

/** Draws the terminal UI on the terminal of this process. Typed text is kept from now on. */
export function openTerminalUi(options: OpenUiOptions): OpenUi {
  const { screen, first, left } = drawFirstFrame({
    ...options,
    terminal: new ProcessTerminal(),
    input: process.stdin,
  });
  let leave = () => left.abort();
  return {
    left: left.signal,
    progress: (text) => {
      first.progress = text;
    },
    run: async (given, sessionId) => {
      const { TerminalUi } = await import('./terminal-ui.ts');
      const suspend = () => suspendProcess(screen);
      const ui = new TerminalUi({ ...given, suspend }, screen, first);
      leave = () => ui.leave();
      left.signal.addEventListener('abort', () => ui.leave(), { once: true });
      if (left.signal.aborted) ui.leave();
      return await ui.run(sessionId);
    },
    leave: () => leave(),
    get unsent() {
      return [...first.take().map(({ text }) => text), screen.prompt.draft]
        .filter((text) => text !== '')
        .join('\n');
    },
    [Symbol.dispose]: () => screen[Symbol.dispose](),
  };
}

/**
 * Gives the terminal to the shell as Ctrl-Z does, and draws again when the shell gives it back. In
 * a process group without a shell the system ignores the stop, and the screen is drawn again
 * immediately.
 */
function suspendProcess(screen: Screen): void {
  screen[Symbol.dispose]();
  process.kill(0, 'SIGTSTP');
  // Time stands still while the process is stopped: this code runs after it continues.
  setTimeout(() => screen.start(), STOPPED_MS);
}
