import { isModelName } from '../../conversation/model-name.ts';
import { type ChatCommand, firstWord } from './chat-command.ts';
import { printCost } from './session-facts.ts';
import { undoAnswer } from './undo-answer.ts';

export const undoCommand: ChatCommand = {
  name: 'undo',
  about: 'undo the changes of the last answer in the folder; asks first',
  run: (_argument, { link, sessionId, output, ask, signal }) =>
    undoAnswer({ link, session: sessionId, output, ask, signal }),
};

export const costCommand: ChatCommand = {
  name: 'cost',
  about: 'show the tokens and cost of this session',
  run: (_argument, { link, sessionId, output, signal }) =>
    link.repeat((client) => printCost(client, sessionId, output), signal),
};

export const modelCommand: ChatCommand = {
  name: 'model',
  argument: '[PROVIDER/MODEL]',
  about: 'show the model, or choose another one for the next messages',
  run: (argument, { model, output }) => {
    const name = firstWord(argument);
    if (name !== '' && !isModelName(name)) {
      const mistake = `/model needs PROVIDER/MODEL, as in offline/rules, not "${name}"`;
      return output.line(output.safeLine(mistake));
    }
    if (name !== '') model.override = name;
    return output.line(`model: ${output.safe(model.name)}`);
  },
};

export const thinkingCommand: ChatCommand = {
  name: 'thinking',
  about: "show or hide the model's thinking",
  run: (_argument, { view, output }) => {
    view.showThinking = !view.showThinking;
    output.line(`thinking is ${view.showThinking ? 'shown' : 'hidden'}`);
  },
};
