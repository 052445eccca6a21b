import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, unknownText } from '../shell/text.ts';
import type { Grammar } from './grammar.ts';
import { hasFlag, optionValue } from './option-values.ts';

/** `systemd-run PROGRAM`, with options to run it later. */
const systemdRun: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  const later = call.args.some(({ text }) => /^--(?:on-|timer|path-prop|socket-prop)/.test(text));
  call.walk.administer(
    later ? 'scheduling' : 'services',
    `systemd-run ${parsed.operands.map(({ text }) => text).join(' ')}`,
  );
  return parsed.operands.length === 0 ? EMPTY : call.walk.run(parsed.operands, call.stdin);
};

/** `at TIME < CODE`. */
const schedule: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  if (hasFlag(parsed, '-l', '-d', '-r', '-V') || optionValue(parsed, '-c') !== undefined) return EMPTY;
  const file = optionValue(parsed, '-f');
  const code = file === undefined ? call.stdin : call.walk.read(file, 'run');
  call.walk.administer('scheduling', `${call.name} ${call.args.map(({ text }) => text).join(' ')}`);
  return code.text === '' ? EMPTY : call.walk.shell(code);
};

const crontab: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  if (hasFlag(parsed, '-l') || call.args.some(({ text }) => /^--?(?:V|help)/.test(text)))
    return unknownText();
  if (hasFlag(parsed, '-e') && !hasFlag(parsed, '-r')) {
    call.walk.administer('scheduling-editor', 'crontab -e');
    return EMPTY;
  }
  const [file] = parsed.operands;
  const table = file === undefined || file.text === '-' ? call.stdin : call.walk.read(file, 'run');
  call.walk.administer('scheduling', `crontab ${call.args.map(({ text }) => text).join(' ')}`);
  for (const line of table.text.split('\n').slice(0, 50)) {
    const command = /^\s*(?:@\w+|(?:\S+\s+){5})(.+)$/.exec(line)?.[1];
    if (command !== undefined) call.walk.shell({ text: command, labels: table.labels });
  }
  return EMPTY;
};

/** Programs that run others later. */
export const SCHEDULER_GRAMMARS: Readonly<Record<string, Grammar>> = {
  'systemd-run': systemdRun,
  schedule,
  crontab,
};
