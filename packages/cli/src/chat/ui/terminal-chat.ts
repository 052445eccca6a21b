import { homedir } from 'node:os';
import { type EngineLink, expandEntry } from '@bulkhead/client';
import { systemTimers } from '@bulkhead/protocol';
import type { StatusResponse } from '@bulkhead/protocol/client';
import type { OpenUi, UiCommand, UiEnd, UiNotice, UiOptions } from '@bulkhead/tui';
import { nearest } from '../../arguments/nearest.ts';
import type { ChatRequest } from '../../conversation/chat-request.ts';
import { findPlace, sessionOf } from '../../conversation/find-place.ts';
import { readImages } from '../../conversation/read-images.ts';
import { tellSandbox } from '../../conversation/sandbox-banner.ts';
import { tellUnusedKeys } from '../../conversation/shell-keys.ts';
import { tellMode } from '../../conversation/tell-mode.ts';
import type { Environment } from '../../environment.ts';
import { EXIT } from '../../exit-code.ts';
import { homeOf } from '../../home.ts';
import { chatNotices } from '../../notices.ts';
import { openEngine } from '../../open-engine.ts';
import { Output } from '../../output/output.ts';
import { folderNotice } from '../../trust/folder-notice.ts';
import type { ChatCommand } from '../commands/chat-command.ts';
import { CHAT_COMMANDS } from '../commands/chat-commands.ts';
import { ChosenModel } from '../commands/chosen-model.ts';
import { uiCommand } from './seat-of.ts';
import type { TerminalState } from './terminal-state.ts';
import { plainOutput, printed, ToldLines } from './told-lines.ts';
import { toolsCommand } from './tools-command.ts';

type GivenOptions = Omit<UiOptions, 'notices' | 'suspend'>;

/**
 * Connects a drawn screen to the engine, until the person leaves.
 *
 * @returns the exit code
 * @throws BulkheadError if there is no engine, for a session that can't be shown, or an engine that
 * is permanently lost
 */
export async function terminalChat(given: GivenParts, ui: OpenUi): Promise<number> {
  const { request, environment } = given;
  const { insecureNoSandbox } = request;
  const progress = (text: string) => ui.progress(text);
  const wait = { insecureNoSandbox, progress, signal: ui.left, channel: 'tui' } as const;
  const opened = await openEngine(homeOf(environment), environment, wait).catch((cause: unknown) => {
    if (ui.left.aborted) return undefined;
    throw cause;
  });
  if (opened === undefined) return EXIT.completed;
  using link = opened.link;
  const status = await link.once((client) => client.call('status', { workingFolder: request.workingFolder }));
  const model = new ChosenModel(status.model, request.modelOverride);
  const mode = { offTheRecord: request.offTheRecord };
  const options = uiOptions({ ...given, link, model, mode });
  const home = homeOf(environment).root;
  const offer = { offered: given.state, how: '/trust', home };
  const folder = await folderNotice(link, request.workingFolder, offer).catch(() => undefined);
  const notices = [
    ...noticesOf(status, request, environment),
    ...(folder === undefined ? [] : [{ text: folder, tone: 'warning' as const }]),
  ];
  const session = await sessionOf(link, request, ui.left);
  const end = await ui.run({ ...options, notices }, session);
  ui[Symbol.dispose]();
  if (end.failure !== undefined) throw end.failure;
  tellEnd(end, mode, new Output(environment.stdout, environment.env));
  return EXIT.completed;
}

interface GivenParts {
  readonly request: ChatRequest;
  readonly environment: Environment;
  readonly state: TerminalState;
  /** The commands of the command line that the screen offers. */
  readonly lineCommands: readonly UiCommand[];
}

interface Parts extends GivenParts {
  readonly link: EngineLink;
  readonly model: ChosenModel;
  readonly mode: RecordMode;
}

function uiOptions({ request, environment, link, model, mode, state, lineCommands }: Parts): GivenOptions {
  const { clock, newId } = environment;
  return {
    link,
    clock,
    timers: systemTimers,
    newId,
    folder: request.workingFolder,
    home: environment.env['HOME'] ?? homedir(),
    model,
    mode,
    dryRun: request.dryRun,
    commands: [
      ...CHAT_COMMANDS.map((command) => uiCommand(command, { link, model })),
      ...modeCommands(link, mode),
      ...lineCommands,
    ],
    parse: parseChatInput,
    place: async (wanted) => {
      const place = await findPlace(link, wanted, { ...request, ...mode });
      state.keepVisit();
      return place;
    },
    templates: async (folder, signal) => {
      const { templates } = await link.once((client) =>
        client.call('listTemplates', { workingFolder: folder }, signal),
      );
      return templates.map(({ name }) => name);
    },
    expand: (folder, entry, signal) => link.repeat((client) => expandEntry(client, folder, entry), signal),
    images: readImages,
    keepTheme: (theme) => state.keepTheme(theme),
    onBack: async (print) => {
      using told = new ToldLines(print);
      await model.tellIfAnother(link, plainOutput(told));
    },
  };
}

/** Notices that the person must see first. */
function noticesOf(
  status: StatusResponse,
  request: ChatRequest,
  environment: Environment,
): readonly UiNotice[] {
  const sandbox = printed((output) => tellSandbox(status, request.insecureNoSandbox, output));
  const mode = printed((output) => tellMode(request, output));
  const keys = printed((output) => tellUnusedKeys(status, environment.env, output));
  const others = chatNotices(status).map((notice) => `note: ${notice}`);
  const notices: readonly UiNotice[] = [
    { text: sandbox, tone: status.sandbox === 'off' ? 'danger' : 'dim' },
    { text: keys, tone: 'warning' },
    { text: mode, tone: 'warning' },
    ...others.map((text) => ({ text, tone: 'dim' as const })),
  ];
  return notices.filter(({ text }) => text !== '');
}

function tellEnd({ sessionId, run }: UiEnd, mode: RecordMode, output: Output): void {
  if (sessionId === '') return;
  const id = output.safe(sessionId);
  if (run === 'running') output.line(`the run in session ${id} continues in the background`);
  if (run === 'cancelling')
    output.line(
      `it is not known yet whether the run in session ${id} was cancelled: the engine did not answer`,
    );
  output.line(`continue with: bulkhead chat${mode.offTheRecord ? ' --otr' : ''} --session ${id}`);
}

/** A command as far as needed to recognize it. */
type CommandWords = Pick<ChatCommand, 'name' | 'aliases' | 'needs'>;

/** An entry of a person at the prompt. */
type ChatInput<Command = ChatCommand> =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly command: Command; readonly argument: string }
  /**
   * `/NAME words` that is not a command: the template of that name, if there is one, expands it.
   */
  | { readonly kind: 'template'; readonly entry: string; readonly otherwise: string }
  | { readonly kind: 'mistake'; readonly reason: string };

/** @param text one entry; pasted text of several lines is one entry and always a message */
export function parseChatInput<Command extends CommandWords>(
  text: string,
  commands: readonly Command[],
): ChatInput<Command> {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'nothing' };
  if (!/^\/([a-z0-9-]+|\?)(\s|$)/.test(trimmed) || trimmed.includes('\n')) return { kind: 'message', text };
  const word = trimmed.split(/\s/, 1)[0] ?? trimmed;
  const argument = trimmed.slice(word.length).trim();
  const command = commands.find(({ name, aliases = [] }) => [name, ...aliases].includes(word.slice(1)));
  if (command === undefined) return { kind: 'template', entry: trimmed, otherwise: unknown(word, commands) };
  if (command.needs !== undefined && argument === '') {
    return { kind: 'mistake', reason: `${word} needs ${command.needs}` };
  }
  return { kind: 'command', command, argument };
}

function unknown(word: string, commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => `/${name}`);
  const near = nearest(word, names);
  return `unknown command ${word}${near === undefined ? ', see /help; templates: /skills' : ` (did you mean ${near}?)`}`;
}

/** How the sessions of a chat are kept; a person may change it. */
interface RecordMode {
  offTheRecord: boolean;
}

/** Switches of a chat, and the tools and instructions of its model. */
function modeCommands(link: EngineLink, mode: RecordMode): readonly UiCommand[] {
  return [
    {
      name: 'otr',
      about: 'start a session off the record: nothing is written, tools only read; again: on the record',
      run: async (_argument, { open, print }) => {
        mode.offTheRecord = !mode.offTheRecord;
        await open(undefined);
        print(mode.offTheRecord ? 'off the record: it ends with the engine' : 'on the record again');
      },
    },
    {
      name: 'dry-run',
      about: 'describe changes without making them; again: make them',
      run: (_argument, { dryRun, print }) => {
        const wanted = dryRun(!dryRun());
        print(
          wanted ? 'dry run from the next message on' : 'changes are made again from the next message on',
        );
      },
    },
    toolsCommand(link),
  ];
}
