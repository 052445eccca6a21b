import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts } from '../shell/text.ts';
import type { Grammar } from './grammar.ts';
import { valuesFor } from './option-values.ts';

const SUBCOMMANDS =
  /^(?:new|new-session|new-window|neww|split-window|splitw|run|run-shell|if-shell|pipe-pane|respawn-pane|send-keys|send|stuff)$/;

/** `tmux new-session COMMAND`, `tmux send-keys KEYS`, `screen -dm PROGRAM`. */
const terminal: Grammar = (call) => {
  const plain = /^(?:tmux|zellij|byobu|tmate)$/.test(call.name);
  const parsed = parseArguments(call.args, call.program, plain ? 'never' : 'operand');
  for (const code of valuesFor(parsed, 'code')) call.walk.shell(code);
  if (!plain) return parsed.operands.length === 0 ? EMPTY : call.walk.run(parsed.operands, EMPTY);
  const at = parsed.operands.findIndex(({ text }) => SUBCOMMANDS.test(text));
  const words =
    at < 0 ? [] : parsed.operands.slice(at + 1).filter(({ text }) => !/^(?:Enter|C-m|[=:.%@])/.test(text));
  if (words.length > 0) call.walk.shell(joinTexts(words, ' '));
  return EMPTY;
};

/** A terminal shown on another machine is controlled there. */
const terminalEmulator: Grammar = (call) => {
  const display = call.args[call.args.findIndex(({ text }) => /^--?display$/.test(text)) + 1];
  const shown = call.args.some(({ text }) => /^--?display$/.test(text)) ? (display?.text ?? '') : '';
  if (/^(?!localhost|127\.|unix:|\/)[^:]+:/.test(shown)) {
    call.walk.emit({ verb: 'evaluate', kind: 'network-shell', labels: 0, object: `${call.name} ${shown}` });
  }
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

/** Programs that show a terminal, and run their arguments in it. */
export const TERMINAL_GRAMMARS: Readonly<Record<string, Grammar>> = {
  terminal,
  'terminal-emulator': terminalEmulator,
  recorder,
};
