import type { KnownModel } from '@bulkhead/protocol/client';
import { isThemeName, THEMES } from '../look/style.ts';
import type { Choice } from '../panels/picker.ts';
import { KEYS, PROMPT_KEYS } from './keys.ts';
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

/**
 * `/model`, Ctrl-L: the available models, and any other by its name.
 *
 * @param given sets a model by name
 */
function modelCommand(ui: UiActions, given: UiCommand | undefined): UiCommand {
  return {
    name: 'model',
    argument: '[PROVIDER/MODEL]',
    about: 'choose the model for the next messages',
    run: async (argument, seat) => {
      if (argument !== '') return given?.run(argument, seat);
      const { link, model } = ui.options;
      const { models } = await link.repeat(
        (client) => client.call('listModels', {}, seat.signal),
        seat.signal,
      );
      ui.pick({
        title: 'Choose a model, or type PROVIDER/MODEL',
        choices: modelChoices(models, model.name),
        free: true,
        onPick: ({ value }) => ui.runCommand('model', value),
      });
    },
  };
}

/** The current model first, then all available ones. */
function modelChoices(models: readonly KnownModel[], now: string): readonly Choice[] {
  const others = models.filter(({ name, usable }) => usable && name !== now);
  return [
    { value: now, label: now, about: 'now' },
    ...others.map((model) => ({ value: model.name, label: model.name, about: priceOf(model) })),
  ];
}

function priceOf({ price }: KnownModel): string {
  if (price === undefined) return '';
  if (price.input === 0 && price.output === 0) return 'free';
  return `$${price.input} in, $${price.output} out per million`;
}
