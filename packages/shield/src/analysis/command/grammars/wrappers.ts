import { LABEL } from '../../effects/labels.ts';
import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../shell/text.ts';
import { entered } from './entered.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, hasFlag, optionValue, valuesFor } from './option-values.ts';
import { assignForProgram } from './powerful-variables.ts';

/** Programs that run their operands as a program; their own options end where it begins. */
const wrapper: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  for (const code of valuesFor(parsed, 'shell')) call.walk.shell(code);
  // `timeout 5 CMD`, `taskset 0x1 CMD`, `flock FILE CMD`: the first operand is a number or a file.
  const skip = /^(?:g?timeout|taskset|chrt|flock|lockf|setlock|setuidgid|envdir|numactl)$/.test(call.name)
    ? 1
    : 0;
  const words = parsed.operands.slice(skip);
  if (/^(?:flock)$/.test(call.name) && words[0]?.text === '-c' && words[1] !== undefined)
    return call.walk.shell(words[1]);
  if (/^(?:strace|ltrace|dtruss|perf|valgrind)$/.test(call.name) && optionValue(parsed, '-p') !== undefined) {
    call.walk.administer('processes', call.name);
  }
  if (/^(?:hyperfine|entr|rlwrap)$/.test(call.name))
    for (const word of words.slice(0, 1))
      return call.walk.shell(words.length === 1 ? word : joinTexts(words, ' '));
  return words.length === 0 ? EMPTY : call.walk.run(words, call.stdin);
};

/**
 * `sudo` and similar: judges mainly the wrapped program; a superuser's shell is a separate power.
 */
const wrap: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  const { name } = call;
  const folder = optionValue(parsed, '-D', '--chdir');
  const walk = folder === undefined ? call.walk : entered(call.walk, folder);
  const shell = hasFlag(parsed, '-i', '-s', '--login', '--shell');
  if (shell && parsed.operands.length === 0) return rootShell(call, name);
  if (hasFlag(parsed, '-e', '--edit')) for (const file of parsed.operands) walk.write(file, EMPTY, 'edit');
  const assignments = parsed.operands.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const words = assignments < 0 ? [] : parsed.operands.slice(assignments);
  const first = words[0]?.text.split('/').at(-1) ?? '';
  if (/^(?:su|(?:ba|z|k|da|fi)?sh)$/.test(first) && words.length === 1 && call.stdin.text === '')
    walk.administer('root-shell', `${name} ${first}`);
  if (words.length === 0 || hasFlag(parsed, '-e', '--edit')) return EMPTY;
  return walk.run(words, call.stdin);
};

/** `env NAME=VALUE PROGRAM`; prints all variables without a program. */
const env: Grammar = (call) => {
  const folder = optionValue(parseArguments(call.args, call.program, 'operand'), '-C', '--chdir');
  const walk = folder === undefined ? call.walk : entered(call.walk, folder);
  const split = call.args.findIndex(({ text }) => /^(?:-\w*S|--split-string)/.test(text));
  if (split >= 0) {
    const own = (call.args[split]?.text ?? '').replace(/^(?:-\w*S|--split-string=?)/, '');
    const rest = call.args.slice(split + 1).map(({ text }) => text);
    return walk.shell(literal([own, ...rest].join(' ')), { stdin: call.stdin });
  }
  const parsed = parseArguments(call.args, call.program, 'operand');
  const start = parsed.operands.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const inner = walk.apart();
  for (const { text, labels } of start < 0 ? parsed.operands : parsed.operands.slice(0, start)) {
    const at = text.indexOf('=');
    assignForProgram(walk, text.slice(0, at), { text: text.slice(at + 1), labels });
  }
  if (start >= 0) return inner.run(parsed.operands.slice(start), call.stdin);
  walk.emit({ verb: 'disclose', kind: 'environment', labels: LABEL.environment, object: 'env' });
  return unknownText(LABEL.environment | LABEL.opaque);
};

const multicall: Grammar = (call) => {
  const start = call.args.findIndex(({ text }) => !text.startsWith('-'));
  return start < 0 ? EMPTY : call.walk.run(call.args.slice(start), call.stdin);
};

/** Another root, namespace or machine on this host. */
const namespace: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  call.walk.administer('namespace', `${call.name} ${call.args.map(({ text }) => text).join(' ')}`);
  for (const code of valuesFor(parsed, 'shell')) call.walk.shell(code);
  const skip = /chroot|proot|sg|newgrp/.test(call.name) ? 1 : 0;
  const words = parsed.operands.slice(skip);
  return words.length === 0 ? EMPTY : call.walk.run(words, call.stdin);
};

/** A shell of another user waits for a person; it runs its piped input. */
function rootShell({ walk, stdin }: Call, object: string): Text {
  walk.administer('root-shell', object);
  return stdin.text === '' ? EMPTY : walk.shell(stdin);
}

/** `su USER -c CODE`. */
const su: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const codes = valuesFor(parsed, 'shell');
  if (codes.length === 0)
    return rootShell(call, `${call.name} ${parsed.operands.map(({ text }) => text).join(' ')}`);
  return joinTexts([EMPTY, ...codes.map((code) => call.walk.shell(code, { stdin: call.stdin }))]);
};

/** `xargs PROGRAM`: its input gives more words. */
const xargs: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  const file = optionValue(parsed, '-a', '--arg-file');
  const source = file === undefined ? call.stdin : call.walk.read(file);
  const mark =
    optionValue(parsed, '-I', '-J', '--replace')?.text ?? (hasFlag(parsed, '-i') ? '{}' : undefined);
  const words = parsed.operands.length === 0 ? [literal('echo')] : parsed.operands;
  const added = itemsOf(source);
  if (mark === undefined) return call.walk.run([...words, ...added], EMPTY);
  const results = added.slice(0, 8).map((item) =>
    call.walk.run(
      words.map((word) => replaceMark(word, mark, item)),
      EMPTY,
    ),
  );
  return joinTexts([EMPTY, ...results]);
};

const MAX_ITEMS = 64;

function itemsOf(source: Text): readonly Text[] {
  const items = source.text.split(/[\s\0]+/).filter((text) => text !== '');
  return items
    .slice(0, MAX_ITEMS)
    .map((text) => ({ text: text.replace(/^(['"])(.*)\1$/, '$2'), labels: source.labels }));
}

function replaceMark(word: Text, mark: string, item: Text): Text {
  if (mark === '' || !word.text.includes(mark)) return word;
  return { text: word.text.replaceAll(mark, () => item.text), labels: word.labels | item.labels };
}

/** `parallel COMMAND ::: ITEMS`. */
const parallel: Grammar = (call) => {
  const split = call.args.findIndex(({ text }) => /^:{3,4}\+?$/.test(text));
  const own = split < 0 ? call.args : call.args.slice(0, split);
  const parsed = parseArguments(own, call.program, 'operand');
  for (const host of valuesFor(parsed, 'host'))
    call.walk.emit({ verb: 'connect', kind: 'remote-shell', labels: 0, object: host.text });
  const given = split < 0 ? itemsOf(call.stdin) : call.args.slice(split + 1);
  const items = call.args[split]?.text.startsWith('::::')
    ? given.flatMap((file) => itemsOf(call.walk.read(file)))
    : given;
  const words = parsed.operands;
  for (const item of items.slice(0, 8)) {
    const placed = words.some(({ text }) => text.includes('{}'));
    const line =
      words.length === 0
        ? [item]
        : placed
          ? words.map((word) => replaceMark(word, '{}', item))
          : [...words, item];
    call.walk.shell(joinTexts(line, ' '));
  }
  return unknownText();
};

/** `watch COMMAND`. */
const watch: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  return parsed.operands.length === 0 ? EMPTY : call.walk.shell(joinTexts(parsed.operands, ' '));
};

/** `fd PATTERN -x PROGRAM`. */
const fd: Grammar = (call) => {
  const at = call.args.findIndex(({ text }) => /^(?:-[xX]|--exec|--exec-batch)/.test(text));
  if (at < 0) return unknownText(LABEL.none);
  return call.walk.run(
    call.args.slice(at + 1).map((word) => replaceMark(word, '{}', unknownText())),
    EMPTY,
  );
};

/** `npx PACKAGE`, `uvx PACKAGE`: runs a package from a registry. */
const runner: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  for (const code of valuesFor(parsed, 'shell')) call.walk.shell(code);
  applyValues(call, parsed, EMPTY);
  return unknownText();
};

/** Programs that run their arguments. */
export const WRAPPER_GRAMMARS: Readonly<Record<string, Grammar>> = {
  wrapper,
  wrap,
  env,
  multicall,
  namespace,
  su,
  xargs,
  parallel,
  watch,
  fd,
  runner,
};
