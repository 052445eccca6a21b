import { LABEL } from '../../effects/labels.ts';
import { isKnown } from '../../effects/pattern-text.ts';
import { resolvePath } from '../../effects/resolve-path.ts';
import { decodeEscapes } from '../decode/decode-text.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../shell/text.ts';
import type { Call, Grammar } from './grammar.ts';
import { evaluateWords, sourceFile } from './shells.ts';

/** Commands of the shell itself, and programs that only print. */
const shell: Grammar = (call) =>
  Object.hasOwn(BUILTINS, call.name) ? (BUILTINS[call.name] ?? quiet)(call) : quiet(call);

const quiet: Grammar = () => unknownText(LABEL.none);

function echo({ args }: Call): Text {
  const options = args.findIndex(({ text }) => !/^-[neE]+$/.test(text));
  const flags = args
    .slice(0, options < 0 ? args.length : options)
    .map(({ text }) => text)
    .join('');
  const text = joinTexts(options < 0 ? [EMPTY] : args.slice(options), ' ');
  return /e/.test(flags) || text.text.includes('\\')
    ? { text: decodeEscapes(text.text), labels: text.labels }
    : text;
}

/** `printf FORMAT ARGUMENTS`: `%s`, `%b`, `%c` and escapes; other conversions are unknown. */
function printf({ args, walk }: Call): Text {
  const [first, second, third] = args;
  if (first?.text === '-v') {
    const value = format(args.slice(2));
    if (second !== undefined && third !== undefined) walk.state.variables.set(second.text, value);
    return EMPTY;
  }
  return format(first?.text === '--' ? args.slice(1) : args);
}

function format([pattern = EMPTY, ...values]: readonly Text[]): Text {
  const source = pattern.text;
  let labels = pattern.labels;
  let used = 0;
  const rounds: string[] = [];
  do {
    const before = used;
    rounds.push(
      decodeEscapes(source).replaceAll(/%(%|[-+ #0-9.]*[a-zA-Z])/g, (_, conversion: string) => {
        if (conversion === '%') return '%';
        const value = values[used] ?? EMPTY;
        used += 1;
        labels |= value.labels;
        return converted(conversion, value.text);
      }),
    );
    if (used === before) break;
  } while (used < values.length && rounds.length < 200);
  return { text: rounds.join(''), labels };
}

function converted(conversion: string, value: string): string {
  if (/[sq]$/.test(conversion)) return value;
  if (conversion.endsWith('b')) return decodeEscapes(value);
  if (conversion.endsWith('c')) return value.slice(0, 1);
  return /^-?\d+$/.test(value) ? value : '\uE000';
}

function changeFolder({ args, walk }: Call): Text {
  const target = args.findLast(({ text }) => !/^-[LPe@]$/.test(text));
  const { state } = walk;
  if (target?.text === '-') state.folder = { names: [], anchored: false };
  else state.folder = resolvePath(target?.text ?? state.home, state.folder);
  return EMPTY;
}

/** `export NAME=VALUE` and similar; prints all variables without arguments. */
function declare(call: Call): Text {
  const { args, walk, name } = call;
  let shown = args.length === 0;
  for (const { text, labels } of args) {
    const at = text.indexOf('=');
    if (at > 0)
      walk.state.variables.set(text.slice(0, at).replace(/\+$/, ''), { text: text.slice(at + 1), labels });
    else if (text === '-p' && args.length === 1) shown = true;
  }
  if (!shown || name === 'local') return EMPTY;
  walk.emit({ verb: 'disclose', kind: 'environment', labels: LABEL.environment, object: name });
  return unknownText(LABEL.environment | LABEL.opaque);
}

function set(call: Call): Text {
  const { args, walk } = call;
  const first = args[0]?.text;
  if (first === undefined) {
    return unknownText(LABEL.environment | LABEL.opaque);
  }
  if (first === '+o' && args[1]?.text === 'history') walk.administer('guard-off', 'set +o history');
  if (first === '--' || !/^[-+]/.test(first)) setParameters(call, first === '--' ? args.slice(1) : args);
  return EMPTY;
}

function setParameters({ walk }: Call, values: readonly Text[]): void {
  walk.state.arrays.set('@', values);
  for (const [index, value] of values.entries()) walk.state.variables.set(`${index + 1}`, value);
}

/** `alias NAME=TEXT`. */
function alias({ args, walk }: Call): Text {
  for (const { text } of args) {
    const at = text.indexOf('=');
    if (at > 0) walk.state.aliases.set(text.slice(0, at), text.slice(at + 1));
  }
  return EMPTY;
}

function unset({ args, walk }: Call): Text {
  for (const { text } of args) {
    walk.state.variables.delete(text);
    walk.state.functions.delete(text);
    if (/^(?:HISTFILE|HISTSIZE|HISTFILESIZE|PROMPT_COMMAND)$/.test(text))
      walk.administer('traces', `unset ${text}`);
  }
  return EMPTY;
}

/** `read NAME…`: a line of its input. */
function read({ args, stdin, walk }: Call): Text {
  const names = args.filter(({ text }) => /^[A-Za-z_]\w*$/.test(text));
  const known = isKnown(stdin.text) && !stdin.text.trim().includes('\n');
  const fields = known ? stdin.text.trim().split(/\s+/) : [];
  const targets = names.length === 0 ? [literal('REPLY')] : names;
  for (const [index, { text }] of targets.entries()) {
    const last = index === targets.length - 1;
    const value = last ? fields.slice(index).join(' ') : (fields[index] ?? '');
    walk.state.variables.set(
      text,
      known ? { text: value, labels: stdin.labels } : { text: '\uE000', labels: stdin.labels | LABEL.opaque },
    );
  }
  return EMPTY;
}

function mapfile({ args, stdin, walk }: Call): Text {
  const name = args.findLast(({ text }) => /^[A-Za-z_]\w*$/.test(text))?.text ?? 'MAPFILE';
  const lines = isKnown(stdin.text) ? stdin.text.split('\n').filter((line) => line !== '') : ['\uE000'];
  walk.state.arrays.set(
    name,
    lines.map((text) => ({ text, labels: stdin.labels })),
  );
  return EMPTY;
}

/** `trap CODE SIGNAL`: runs later, in this shell. */
function trap({ args, walk }: Call): Text {
  const [code, ...signals] = args.filter(({ text }) => text !== '--');
  if (code === undefined || /^-[lp]?$/.test(code.text) || signals.length === 0) return EMPTY;
  if (signals.some(({ text }) => /^(?:DEBUG|RETURN|ERR)$/i.test(text))) {
    walk.administer('hooks', `trap ${code.text} DEBUG`);
  } else if (
    /\b(?:nohup|(?:ba|z|da|k)?sh|curl|wget|nc|ncat|python\d?|perl|ruby|crontab|at)\s/.test(code.text)
  ) {
    walk.administer('hooks', `trap ${code.text}`);
  }
  walk.shell(code, { same: true });
  return EMPTY;
}

function history({ args, walk }: Call): Text {
  const flags = args.map(({ text }) => text).join(' ');
  if (/^-\w*[cd]/.test(flags))
    walk.administer(flags.includes('c') ? 'guard-off' : 'traces', `history ${flags}`);
  return unknownText(LABEL.private | LABEL.opaque);
}

/** `exec PROGRAM`, `command PROGRAM`, `builtin PROGRAM`. */
function run({ args, stdin, walk, name }: Call): Text {
  const start = args.findIndex(({ text }) => !text.startsWith('-'));
  if (start < 0) return EMPTY;
  const flags = args.slice(0, start).map(({ text }) => text);
  if (name === 'command' && flags.some((flag) => /[vV]/.test(flag))) return args.at(-1) ?? EMPTY;
  const words = name === 'exec' && flags.includes('-a') ? args.slice(start + 1) : args.slice(start);
  return walk.run(words, stdin);
}

/** `enable -f FILE`, `bind -x`, `complete -C`: code that the shell loads or keeps. */
function load(call: Call): Text {
  const at = call.args.findIndex(({ text }) => /^-(?:f|x|C|F|u|r|i)$/.test(text));
  const value = call.args[at + 1];
  if (at < 0 || value === undefined || !/^-[fxC]$/.test(call.args[at]?.text ?? '')) return EMPTY;
  call.walk.emit({
    verb: 'evaluate',
    kind: 'option',
    labels: LABEL.none,
    object: `${call.name} ${value.text}`,
  });
  return EMPTY;
}

function xtraceClock(call: Call): Text {
  const sets = call.args.some(({ text }) => /^(?:-s|--set|\d{8,})/.test(text));
  if (sets) call.walk.administer('clock', `date ${call.args.map(({ text }) => text).join(' ')}`);
  return unknownText(LABEL.none);
}

const BUILTINS: Readonly<Record<string, Grammar>> = {
  echo,
  gecho: echo,
  printf,
  cd: changeFolder,
  chdir: changeFolder,
  pushd: changeFolder,
  export: declare,
  declare,
  typeset: declare,
  readonly: declare,
  local: declare,
  set,
  alias,
  unset,
  read,
  mapfile,
  readarray: mapfile,
  trap,
  history,
  eval: evaluateWords,
  source: sourceFile,
  '.': sourceFile,
  exec: run,
  command: run,
  builtin: run,
  nohup: run,
  time: run,
  coproc: run,
  enable: load,
  bind: load,
  complete: load,
  date: xtraceClock,
  gdate: xtraceClock,
  pwd: ({ walk }) => literal(`/${walk.state.folder.names.join('/')}`),
  mktemp: () => literal('/tmp/tmp.\uE000'),
  true: () => EMPTY,
  ':': () => EMPTY,
  false: () => EMPTY,
};

/** The shell's own commands. */
export const BUILTIN_GRAMMARS: Readonly<Record<string, Grammar>> = { shell };
