import { isThemeName, THEMES } from '../look/style.ts';
import { KEYS, PROMPT_KEYS } from './keys.ts';
import { modelCommand } from './model-command.ts';
import { sessionsCommand } from './sessions-command.ts';
import { treeCommand } from './tree-command.ts';
import type { UiActions } from './ui-actions.ts';
import type { UiCommand } from './ui-options.ts';

/**
 * All commands: those for the screen replace the line-based ones of the same name.
 *
 * @param given commands of the program
 */
export function withOwnCommands(ui: UiActions, given: readonly UiCommand[]): readonly UiCommand[] {
  const own = [
    helpCommand(ui),
    sessionsCommand(ui),
    treeCommand(ui),
    modelCommand(
      ui,
      given.find(({ name }) => name === 'model'),
    ),
    themeCommand(ui),
    moreCommand(ui),
    acceptLossCommand(ui),
  ];
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...given.filter(({ name }) => !names.has(name))];
}

/** Columns for a key or a command; a longer one gets its own line. */
const FIRST = 24;

function helpCommand(ui: UiActions): UiCommand {
  return {
    name: 'help',
    aliases: ['?'],
    about: 'show this help',
    run: (_argument, { print }) => {
      const keys = [...PROMPT_KEYS, ...KEYS.map(({ shown, about }) => [shown, about] as const)];
      const commands = ui.commands.map(({ name, argument, about }) => {
        const usage = argument === undefined ? `/${name}` : `/${name} ${argument}`;
        return [usage, about] as const;
      });
      print(`${table(keys)}\n\n${table(commands)}`);
    },
  };
}

function table(rows: readonly (readonly [first: string, about: string])[]): string {
  return rows
    .map(([first, about]) =>
      first.length < FIRST ? `${first.padEnd(FIRST)}${about}` : `${first}\n${' '.repeat(FIRST)}${about}`,
    )
    .join('\n');
}

function themeCommand(ui: UiActions): UiCommand {
  return {
    name: 'theme',
    argument: THEMES.join('|'),
    about: 'colours for a dark or a light screen, or none',
    run: (argument, { print }) => {
      if (!isThemeName(argument))
        return print(`/theme takes ${THEMES.join(', ')}; it is ${ui.screen.look.theme}`);
      ui.screen.theme(argument);
      ui.options.keepTheme(argument);
      print(`theme: ${argument}, saved for later sessions`);
    },
  };
}

function moreCommand(ui: UiActions): UiCommand {
  return {
    name: 'more',
    about: 'show earlier messages',
    run: (_argument, { print }) => {
      if (!ui.screen.more()) print('the whole session is shown');
    },
  };
}

function acceptLossCommand(ui: UiActions): UiCommand {
  return {
    name: 'accept-loss',
    about: 'continue a read-only session without its lost records',
    run: async (_argument, { print }) => {
      const { sessionId } = ui;
      const { lost } = await ui.options.link.once((client) => client.call('acceptLoss', { sessionId }));
      await ui.open(sessionId);
      print(`accepted: ${lost}. Repeated actions need your approval.`);
    },
  };
}
