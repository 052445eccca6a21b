import { ProcessTerminal } from '@earendil-works/pi-tui';
import { TerminalUi } from './terminal-ui.ts';
import type { UiEnd, UiOptions } from './ui-options.ts';

/** How to stay in the terminal UI until the person leaves it. */
export interface OpenUi {
  /** @param sessionId undefined for a new session @throws BulkheadError for a session that can't be shown */
  run(sessionId: string | undefined): Promise<UiEnd>;
  /** Leaves, as the person would. */
  leave(): void;
  /** Gives the terminal back at once: for a process that ends. */
  restore(): void;
}

/** The terminal UI on the terminal of this process. */
export function openTerminalUi(options: Omit<UiOptions, 'terminal'>): OpenUi {
  const ui = new TerminalUi({ ...options, terminal: new ProcessTerminal() });
  return {
    run: (sessionId) => ui.run(sessionId),
    leave: () => ui.leave(),
    restore: () => ui.screen[Symbol.dispose](),
  };
}
