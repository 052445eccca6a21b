import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts } from '../text.ts';
import type { Grammar } from './grammar.ts';
import { valuesFor } from './option-values.ts';

const tmux: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  for (const code of valuesFor(parsed, 'code')) call.walk.shell(code);
  const words = parsed.operands.filter(
    ({ text }) =>
      !/^(?:new|new-session|new-window|neww|split-window|splitw|run|run-shell|if-shell|pipe-pane|respawn-pane|send-keys|send|attach|ls|list-sessions|kill-session|Enter|C-m|detach|a)$/.test(
        text,
      ),
  );
  const runs = call.args.some(({ text }) =>
    /^(?:new|new-session|new-window|neww|split-window|splitw|run|run-shell|if-shell|pipe-pane|respawn-pane|send-keys|send|stuff)$/.test(
      text,
    ),
  );
  if (
    /^(?:screen|dtach|abduco)$/.test(call.name)
      ? words.length > 0 && !call.args.some(({ text }) => /^-\w*[rRxl]/.test(text))
      : runs
  ) {
    for (const word of words) if (/\s/.test(word.text) || words.length === 1) call.walk.shell(word);
    if (words.length > 1) call.walk.shell(joinTexts(words, ' '));
  }
  return EMPTY;
};

const terminalEmulator: Grammar = (call) => {
  const at = call.args.findIndex(({ text }) => /^(?:-e|-x|--|--command|-hold)$/.test(text));
  if (at >= 0) call.walk.shell(joinTexts(call.args.slice(at + 1), ' '));
  return EMPTY;
};

const recorder: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  for (const code of valuesFor(parsed, 'shell')) call.walk.shell(code);
  if (/^(?:script)$/.test(call.name) && parsed.operands.length > 1)
    call.walk.run(parsed.operands.slice(1), EMPTY);
  return EMPTY;
};

/** Programs that show a terminal, and run in it what they are given. */
export const TERMINAL_GRAMMARS: Readonly<Record<string, Grammar>> = {
  terminal: tmux,
  'terminal-emulator': terminalEmulator,
  recorder,
};
