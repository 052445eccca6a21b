import { expandEntry } from '@bulkhead/engine/client';
import { openTerminalUi } from '@bulkhead/tui';
import { readImages } from '../../conversation/read-images.ts';
import { EXIT } from '../../exit-code.ts';
import { Output } from '../../output/output.ts';
import type { ChatOptions } from '../chat.ts';
import { parseChatInput } from '../chat-input.ts';
import { findPlace } from '../chat-place.ts';
import { ChosenModel } from '../chosen-model.ts';
import { CHAT_COMMANDS } from '../commands/chat-commands.ts';
import { lineCommands } from './line-commands.ts';
import { modeCommands } from './mode-commands.ts';
import { uiCommand } from './seat-of.ts';
import { ToldLines } from './told-lines.ts';

/**
 * The chat as a screen of its own.
 *
 * @param notices what the person should know before it
 * @param sessionId undefined for a new session
 * @returns the exit code
 * @throws BulkheadError for a session that can't be shown, or an engine that went away for good
 */
export async function terminalChat(
  options: ChatOptions & { readonly notices: readonly string[] },
  sessionId: string | undefined,
): Promise<number> {
  const { link, environment, notices } = options;
  const model = new ChosenModel(options.model, options.modelOverride);
  const mode = { offTheRecord: options.offTheRecord };
  const ui = openTerminalUi({
    link,
    env: environment.env,
    clock: environment.clock,
    newId: environment.newId,
    model,
    mode,
    dryRun: options.dryRun,
    notices,
    commands: [
      ...CHAT_COMMANDS.map((command) => uiCommand(command, { link, model })),
      ...modeCommands(link, mode),
      ...lineCommands(environment),
    ],
    parse: parseChatInput,
    place: (wanted) => findPlace(link, wanted, { ...options, ...mode }),
    templates: async (folder, signal) => {
      const { templates } = await link.once((client) => client.listTemplates(folder, signal));
      return templates.map(({ name }) => name);
    },
    expand: (folder, entry, signal) => link.repeat((client) => expandEntry(client, folder, entry), signal),
    images: readImages,
    onBack: async (print) => {
      using told = new ToldLines(print);
      await model.tellIfAnother(link, new Output(told.stream, { NO_COLOR: '1' }));
    },
  });
  const restore = () => ui.restore();
  process.once('exit', restore);
  using _signals = environment.onInterrupt(() => ui.leave());
  const end = await ui.run(sessionId).finally(() => process.off('exit', restore));
  if (end.failure !== undefined) throw end.failure;
  const output = new Output(environment.stdout, environment.env);
  if (end.running) output.line(`the run in session ${output.safe(end.sessionId)} goes on without you`);
  const otr = mode.offTheRecord ? ' --otr' : '';
  output.line(`go on with: bulkhead chat${otr} --session ${output.safe(end.sessionId)}`);
  return EXIT.completed;
}
