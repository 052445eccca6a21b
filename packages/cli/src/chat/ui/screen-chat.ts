import { openTerminalUi, type UiCommand } from '@bulkhead/tui';
import type { ChatRequest } from '../../conversation/chat-request.ts';
import type { Environment } from '../../environment.ts';
import { homeOf } from '../../home.ts';
import { TerminalState } from './terminal-state.ts';

/**
 * The chat on a full screen. Draws first, then loads the code that talks to the engine.
 *
 * @param lineCommands loads the commands of the command line for the screen
 * @returns the exit code
 * @throws BulkheadError if there is no engine, for a session that can't be shown, or an engine that
 * is permanently lost
 */
export async function screenChat(
  request: ChatRequest,
  environment: Environment,
  lineCommands: () => Promise<readonly UiCommand[]>,
): Promise<number> {
  const { env, clock } = environment;
  const state = new TerminalState(homeOf(environment));
  const ui = openTerminalUi({ env, clock, folder: request.workingFolder, ...state.read() });
  const restore = () => ui[Symbol.dispose]();
  process.once('exit', restore);
  using _signals = environment.onInterrupt(() => ui.leave());
  try {
    const { terminalChat } = await import('./terminal-chat.ts');
    return await terminalChat({ request, environment, state, lineCommands: await lineCommands() }, ui);
  } catch (cause) {
    const { unsent } = ui;
    ui[Symbol.dispose]();
    // It was typed already, and can no longer be sent.
    if (unsent !== '') environment.stdout.write(`not sent: ${unsent}\n`);
    throw cause;
  } finally {
    process.off('exit', restore);
    ui[Symbol.dispose]();
  }
}
