import { resolve } from 'node:path';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { modelOf, readableFolder } from '../conversation/run-request.ts';
import { INSECURE_OPTION, tellSandbox } from '../conversation/sandbox-banner.ts';
import { tellUnusedKeys } from '../conversation/shell-keys.ts';
import { tellMode } from '../conversation/tell-mode.ts';
import { type Environment, hasScreen } from '../environment.ts';
import { homeOf } from '../home.ts';
import { chatNotices } from '../notices.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';

export const chatCommand: Command = {
  usage: '[--session ID] [--model PROVIDER/MODEL] [--cwd DIR] [--otr] [--dry-run] [--no-tui]',
  about: 'Talks in the terminal. Starts an engine if none runs.',
  details: [
    'What is entered while a run goes on joins it at its next step. /queue TEXT (or Alt-Enter) waits for its end,',
    '/now TEXT cancels it first, Ctrl-C cancels it. /help in the chat lists all commands.',
  ],
  options: {
    session: { about: 'go on with this session', value: 'ID' },
    model: { about: 'another model than the configured one', value: 'PROVIDER/MODEL' },
    otr: { about: 'off the record: tools only read, nothing of the session is written to the disk' },
    'dry-run': { about: 'describe what would change something, and do not do it' },
    cwd: { about: 'the working folder of a new session', value: 'DIR' },
    'no-tui': { about: 'lines of text instead of a screen, as in a pipe' },
    ...INSECURE_OPTION,
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const workingFolder = readableFolder(resolve(environment.cwd, args.value('cwd') ?? '.'));
  const modelOverride = modelOf(args.value('model'));
  const signal = new AbortController().signal;
  const insecureNoSandbox = args.flag('insecure-no-sandbox');
  // Read while the engine is asked: both take their time.
  const screen =
    !args.flag('no-tui') && hasScreen(environment) ? import('../chat/ui/terminal-chat.ts') : undefined;
  const { link } = await openEngine(homeOf(environment), environment, { insecureNoSandbox, signal });
  using _link = link;
  const status = await link.once((client) => client.status());
  const stderr = new Output(environment.stderr, environment.env);
  const mode = { offTheRecord: args.flag('otr'), dryRun: args.flag('dry-run') };
  tellSandbox(status, insecureNoSandbox, stderr);
  tellUnusedKeys(status, environment.env, stderr);
  tellMode(mode, stderr);
  const notices = chatNotices(status.notices);
  const options = { link, environment, workingFolder, model: status.model, modelOverride, ...mode };
  if (screen !== undefined) {
    const { terminalChat } = await screen;
    return await terminalChat({ ...options, notices }, args.value('session'));
  }
  for (const notice of notices) stderr.line(`note: ${stderr.safe(notice)}`);
  const { Chat } = await import('../chat/chat.ts');
  return await new Chat(options).run(args.value('session'));
}
