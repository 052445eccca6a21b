import type { Screen } from '../app/screen.ts';

/** The system stops the process before this has passed, milliseconds. */
const STOPPED_MS = 50;

/**
 * Gives the terminal to the shell as Ctrl-Z does, and draws again when the shell gives it back. Where nobody could give it back (a
 * process group without a shell) the system ignores the stop, and the screen is drawn at once.
 */
export function suspendProcess(screen: Screen): void {
  screen[Symbol.dispose]();
  process.kill(0, 'SIGTSTP');
  // Time stands still while the process is stopped: this runs once it goes on.
  setTimeout(() => screen.start(), STOPPED_MS);
}
