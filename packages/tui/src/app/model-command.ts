import type { Choice } from '../panels/picker.ts';
import type { UiActions } from './ui-actions.ts';
import type { UiCommand } from './ui-options.ts';

/**
 * `/model`, Ctrl-L: the models that answered before, and any other by its name.
 *
 * @param given sets a model that is named
 */
export function modelCommand(ui: UiActions, given: UiCommand | undefined): UiCommand {
  return {
    name: 'model',
    argument: '[PROVIDER/MODEL]',
    about: 'which model answers from the next message on',
    run: async (argument, seat) => {
      if (argument !== '') return given?.run(argument, seat);
      const { name } = ui.options.model;
      const rows = await ui.options.link.repeat((client) => client.readUsage({}, seat.signal), seat.signal);
      const used = [...new Set(rows.map(({ model }) => model))].filter((model) => model.includes('/'));
      const names = [
        name,
        ...used.filter((model) => model !== name).sort(),
        ...BUILT_IN.filter((one) => !used.includes(one) && one !== name),
      ];
      ui.pick({
        title: 'Which model answers? A name that is not listed can be typed: PROVIDER/MODEL',
        choices: names.map(
          (model): Choice => ({ value: model, label: model, about: model === name ? 'now' : '' }),
        ),
        free: true,
        onPick: ({ value }) => ui.runCommand('model', value),
      });
    },
  };
}

/** Answers by rules, on this machine. */
const BUILT_IN = ['offline/rules'];
