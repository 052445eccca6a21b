import { hasLabel, LABEL } from '../../effects/labels.ts';
import { isKnown } from '../../effects/pattern-text.ts';
import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, type Text, unknownText } from '../shell/text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, hasFlag, optionValue, readOperands } from './option-values.ts';

/** Reads its operands, and prints them changed. */
const read: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, parsed, call.stdin);
  const content = readOperands(call, parsed.operands);
  return content.text === '' ? content : { text: '\uE000', labels: content.labels | LABEL.opaque };
};

/** Reads its operands for a number, a hash or a date: its output contains none of their text. */
const inspect: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, parsed, EMPTY);
  for (const operand of parsed.operands) call.walk.emit(search(call, operand));
  return unknownText(LABEL.none);
};

/** Prints names of files, not their content. */
const list: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  for (const operand of parsed.operands) call.walk.emit(search(call, operand));
  if (['readlink', 'realpath', 'which', 'type', 'basename', 'dirname'].includes(call.name)) {
    return located(call.name, parsed.operands);
  }
  const [folder] = parsed.operands;
  return folder === undefined
    ? unknownText(LABEL.none)
    : { text: `${folder.text.replace(/\/$/, '')}/\uE000`, labels: 0 };
};

function located(name: string, operands: readonly Text[]): Text {
  const [operand] = operands;
  if (operand === undefined || !isKnown(operand.text)) return unknownText();
  if (name === 'basename') return { text: operand.text.split('/').at(-1) ?? '', labels: operand.labels };
  if (name === 'dirname')
    return { text: operand.text.replace(/\/[^/]*$/, '') || '/', labels: operand.labels };
  return operand;
}

function search(call: Call, operand: Text) {
  const place = call.walk.placeOf(operand);
  return { verb: 'search', place, labels: LABEL.none, object: place.path } as const;
}

/** The first operand is a pattern, unless an option gave it; the others are read. */
const pattern: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const given = parsed.values.some(({ use }) => use === 'code' || use === 'input');
  applyValues(call, parsed, call.stdin);
  const wanted = given
    ? parsed.values.filter(({ use }) => use === 'code').map(({ value }) => value)
    : parsed.operands.slice(0, 1);
  const files = given ? parsed.operands : parsed.operands.slice(1);
  const secret = wanted.some(({ text }) => SECRET_WORDS.test(text));
  const deep = hasFlag(parsed, '-r', '-R', '--recursive') || /^(?:rg|ag|ack|sift|pt|rgrep)$/.test(call.name);
  const places = files.length === 0 && deep ? [{ text: '.', labels: 0 }] : files;
  if (places.length === 0 && hasLabel(call.stdin.labels, 'environment') && wanted.some(looksForSecrets)) {
    call.walk.emit({ verb: 'disclose', kind: 'secrets', labels: call.stdin.labels, object: call.name });
  }
  if (secret) {
    for (const file of places) call.walk.emit({ ...search(call, file), kind: 'secrets' });
  }
  if (hasFlag(parsed, '-q', '-c', '-l', '--quiet', '--count')) return unknownText(LABEL.none);
  const content = readOperands(call, places);
  return { text: '\uE000', labels: content.labels | LABEL.opaque };
};

/** Words that a search for secrets uses. */
const SECRET_WORDS =
  /passw(?:or)?d|passphrase|secret_?(?:key|access)|api[_-]?key|access[_-]?token|private.key|credential|BEGIN .*KEY|AKIA|client_secret|aws_secret/i;

/** Among variables, shorter words suffice to recognize a search for secrets. */
function looksForSecrets({ text }: Text): boolean {
  return SECRET_WORDS.test(text) || /key|secret|token|pass|cred|auth|pwd/i.test(text);
}

/** Writes its input to its operands, and prints it. */
const write: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  for (const operand of parsed.operands) call.walk.write(operand, call.stdin);
  return call.stdin;
};

/** Creates or changes its operands; their content is unknown. */
const touch: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, parsed, EMPTY);
  const dated = optionValue(parsed, '-t', '-d', '-r', '--date', '--reference') !== undefined;
  for (const operand of parsed.operands) {
    if (call.name === 'touch' && dated) call.walk.change(operand, 'time');
    else call.walk.write(operand, madeOf(call), 'make');
  }
  return EMPTY;
};

/** Data from a pipe has another program as its origin. */
function madeOf({ name, stdin }: Call): Text {
  if (name === 'mkfifo') return unknownText();
  return name === 'patch' ? stdin : EMPTY;
}

const truncate: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  for (const operand of parsed.operands) call.walk.write(operand, EMPTY, 'empty');
  return EMPTY;
};

const remove: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const deep = [...parsed.flags].some((flag) => /^-\w*[rR]|^--recursive/.test(flag));
  for (const operand of parsed.operands) {
    call.walk.remove(operand, deep ? 'recursive' : 'single');
    if (/shred|srm|wipe|secure-delete/.test(call.name)) call.walk.remove(operand, 'wipe');
  }
  return EMPTY;
};

/** Copies its operands to the last one, or to a folder that an option names. */
const copy: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const folder = optionValue(parsed, '-t', '--target-directory');
  const target = folder ?? parsed.operands.at(-1);
  const sources = folder === undefined ? parsed.operands.slice(0, -1) : parsed.operands;
  const content = joinTexts(sources.map((source) => call.walk.read(source, 'copy')));
  for (const each of parsed.values) {
    if (each.use === 'program') applyValues(call, { ...parsed, values: [each] }, EMPTY);
  }
  if (call.name.endsWith('install') && hasFlag(parsed, '-d', '--directory')) {
    for (const operand of parsed.operands) call.walk.write(operand, EMPTY, 'make');
  } else if (target !== undefined) call.walk.write(target, content, 'copy');
  if (/install$/.test(call.name)) setMode(call, optionValue(parsed, '-m')?.text ?? '', target);
  return EMPTY;
};

function setMode(call: Call, mode: string, target: Text | undefined): void {
  if (target !== undefined && isPrivileged(mode)) call.walk.change(target, 'privilege');
}

const link: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const folder = optionValue(parsed, '-t', '--target-directory');
  const target = folder ?? (parsed.operands.length > 1 ? parsed.operands.at(-1) : { text: '.', labels: 0 });
  const sources =
    folder === undefined && parsed.operands.length > 1 ? parsed.operands.slice(0, -1) : parsed.operands;
  const content = joinTexts(sources.map((source) => call.walk.read(source, 'link')));
  if (target !== undefined) call.walk.write(target, content, 'link');
  return EMPTY;
};

const move: Grammar = (call) => {
  if (/rename/.test(call.name)) return EMPTY;
  const parsed = parseArguments(call.args, call.program);
  const folder = optionValue(parsed, '-t', '--target-directory');
  const target = folder ?? parsed.operands.at(-1);
  const sources = folder === undefined ? parsed.operands.slice(0, -1) : parsed.operands;
  const contents = sources.map((source) => {
    call.walk.remove(source, 'move');
    return call.walk.read(source, 'copy');
  });
  if (target !== undefined) call.walk.write(target, joinTexts(contents), 'copy');
  return EMPTY;
};

/** Set-user-id and set-group-id in a mode of `chmod`. */
function isPrivileged(mode: string): boolean {
  return /^0?[2467]\d{3}$/.test(mode) || /(?:^|,)[ugoa]*[+=][rwxXt]*s/.test(mode);
}

const mode: Grammar = (call) => {
  const [wanted, ...targets] = call.args.filter(({ text }) => !/^-(?:-\w|[RvcfhLHP]+$)/.test(text));
  const deep = call.args.some(({ text }) => /^-\w*R|^--recursive/.test(text));
  const text = wanted?.text ?? '';
  const open =
    /^[0-7]?[0-7]{2}[2367]$|(?:^|,)(?:[ugo]*o[ug]*|a|[ugo]*)[+=][rxXt]*w/.test(text) &&
    !/^(?:u|g|ug)[+=]/.test(text);
  const kind = isPrivileged(text) ? 'privilege' : open && deep ? 'open' : 'mode';
  for (const target of targets) call.walk.change(target, kind);
  return EMPTY;
};

const owner: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const root = /^(?:root|0|:root|:wheel)\b/.test(parsed.operands[0]?.text ?? '');
  for (const target of parsed.operands.slice(1)) call.walk.change(target, root ? 'owner-root' : 'owner');
  return EMPTY;
};

/** Attributes that make a file hidden or immutable. */
const attribute: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const [first] = call.args;
  const lasting =
    /^[+=-]\w*[ia]|^(?:hidden|uchg|schg|nouchg|noschg|0)$/.test(first?.text ?? '') ||
    /^[Ss]et/.test(call.name);
  for (const target of parsed.operands) call.walk.change(target, lasting ? 'attribute' : 'mode');
  return EMPTY;
};

const xattr: Grammar = (call) => {
  const text = call.args.map((each) => each.text).join(' ');
  if (/com\.apple\.quarantine/.test(text) || /^-\w*c/.test(text))
    call.walk.administer('safeguards', `${call.name} ${text}`);
  return unknownText(LABEL.none);
};

const setcap: Grammar = (call) => {
  const target = call.args.at(-1);
  if (target !== undefined) call.walk.change(target, 'privilege');
  return EMPTY;
};

const dd: Grammar = (call) => {
  const value = (name: string) => {
    const found = call.args.find(({ text }) => text.startsWith(`${name}=`));
    return found === undefined
      ? undefined
      : { text: found.text.slice(name.length + 1), labels: found.labels };
  };
  const from = value('if');
  const to = value('of');
  const content = from === undefined ? call.stdin : call.walk.read(from, 'copy');
  if (to === undefined) return content;
  call.walk.write(to, content);
  return EMPTY;
};

const compress: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const piped = hasFlag(parsed, '-c', '--stdout', '--to-stdout') || parsed.operands.length === 0;
  const content = readOperands(call, parsed.operands);
  applyValues(call, parsed, content);
  if (!piped) for (const operand of parsed.operands) call.walk.write(operand, content, 'compress');
  return piped ? { text: '\uE000', labels: content.labels | LABEL.opaque } : EMPTY;
};

/** Grammars of programs whose operands are files. */
export const FILE_GRAMMARS: Readonly<Record<string, Grammar>> = {
  read,
  inspect,
  list,
  pattern,
  write,
  touch,
  truncate,
  remove,
  copy,
  link,
  move,
  mode,
  owner,
  attribute,
  xattr,
  setcap,
  dd,
  compress,
};
