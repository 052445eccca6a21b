import { resolve } from 'node:path';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { modelOf, readableFolder, refuseBoth } from '../conversation/run-request.ts';
import { INSECURE_OPTION } from '../conversation/sandbox-banner.ts';
import { type Environment, hasScreen } from '../environment.ts';

export const chatCommand: Command = {
  usage: '[--session ID | --continue] [--model PROVIDER/MODEL] [--cwd DIR] [--otr] [--dry-run] [--no-tui]',
  about: 'Talks in the terminal. Starts an engine if none runs.',
  details: [
    'A message entered during a run joins it at its next step. /queue TEXT (or Alt-Enter) waits for its end,',
    '/now TEXT cancels it first, Ctrl-C cancels it. /help in the chat lists all commands.',
    'Without a screen (--no-tui, a pipe, TERM=dumb) each line is a run in the same session, printed as by `run`:',
    'there are no commands, Ctrl-C cancels the run, Ctrl-D exits.',
  ],
  options: {
    session: { about: 'continue this session', value: 'ID' },
    continue: { about: 'continue the last session of this folder' },
    model: { about: 'use this model instead of the configured one', value: 'PROVIDER/MODEL' },
    otr: { about: 'off the record: tools only read, the session is not written to disk' },
    'dry-run': { about: 'describe changes without making them' },
    cwd: { about: 'working folder of a new session', value: 'DIR' },
    'no-tui': { about: 'no screen: each line is sent and printed as by `run`' },
    ...INSECURE_OPTION,
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const session = args.value('session');
  const last = args.flag('continue');
  refuseBoth(session, last);
  const request = {
    workingFolder: readableFolder(resolve(environment.cwd, args.value('cwd') ?? '.')),
    modelOverride: modelOf(args.value('model')),
    offTheRecord: args.flag('otr'),
    dryRun: args.flag('dry-run'),
    insecureNoSandbox: args.flag('insecure-no-sandbox'),
    session,
    last,
  };
  // Each variant loads only its own code: a screen is drawn before the engine is reached.
  if (!args.flag('no-tui') && hasScreen(environment)) {
    const { screenChat } = await import('../chat/ui/screen-chat.ts');
    const lineCommands = async () => (await import('./line-commands.ts')).lineCommands(environment);
    return await screenChat(request, environment, lineCommands);
  }
  const { runLoop } = await import('../conversation/run-loop.ts');
  return await runLoop(request, environment);
}
