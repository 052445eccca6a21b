import type { Clock } from '@bulkhead/protocol';
import { ProcessTerminal } from '../library/first-parts.ts';
import type { ThemeName } from '../look/style.ts';
import { drawFirstFrame } from './draw-first-frame.ts';
import type { Screen } from './screen.ts';
import type { UiEnd, UiOptions } from './ui-options.ts';

/** The system stops the process before this has passed, milliseconds. */
const STOPPED_MS = 50;

/** What is known before there is an engine. */
interface OpenUiOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Absolute; where new sessions work. */
  readonly folder: string;
  /** Chosen by the person before; undefined for what the surroundings ask for. */
  readonly theme: ThemeName | undefined;
  /** True for somebody who was not here before. */
  readonly firstVisit: boolean;
}

/** The terminal UI, drawn already: what it shows comes with `run`. */
export interface OpenUi extends Disposable {
  /** Fires when the person leaves while there is no session yet. */
  readonly left: AbortSignal;
  /** Says what is waited for, in a few words. */
  progress(text: string): void;
  /**
   * Shows a session, and stays until the person leaves.
   *
   * @param sessionId undefined for a new session
   * @throws BulkheadError for a session that can't be shown
   */
  run(options: Omit<UiOptions, 'suspend'>, sessionId: string | undefined): Promise<UiEnd>;
  /** Leaves, as the person would. */
  leave(): void;
  /** What was typed and not sent: gone with the screen unless somebody keeps it. */
  readonly unsent: string;
}

/** Draws the terminal UI on the terminal of this process. What is typed from now on is kept. */
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
 * Gives the terminal to the shell as Ctrl-Z does, and draws again when the shell gives it back. Where nobody could give it back (a
 * process group without a shell) the system ignores the stop, and the screen is drawn at once.
 */
function suspendProcess(screen: Screen): void {
  screen[Symbol.dispose]();
  process.kill(0, 'SIGTSTP');
  // Time stands still while the process is stopped: this runs once it goes on.
  setTimeout(() => screen.start(), STOPPED_MS);
}
