import type { KnownModel } from '@bulkhead/protocol/client';
import type { Choice } from '../panels/picker.ts';
import type { UiActions } from './ui-actions.ts';
import type { UiCommand } from './ui-options.ts';

/**
 * `/model`, Ctrl-L: the available models, and any other by its name.
 *
 * @param given sets a model by name
 */
export function modelCommand(ui: UiActions, given: UiCommand | undefined): UiCommand {
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
