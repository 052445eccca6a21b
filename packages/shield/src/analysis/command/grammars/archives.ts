import { LABEL } from '../../effects/labels.ts';
import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, runOption } from './option-values.ts';

const TAR_PROGRAMS =
  /^(?:-I|--checkpoint-action|--use-compress-program|--use-compress-prog|--to-command|--rsh-command|--rmt-command|--info-script|--new-volume-script|-F)$/;
const TAR_VALUES =
  /^(?:-[CTXbgKNVHL]|--(?:directory|files-from|exclude-from|exclude|transform|format|owner|group|mode|mtime|strip-components|one-top-level|add-file|listed-incremental|warning|level))$/;

interface TarArguments {
  archive?: Text;
  readonly members: Text[];
  mode: string;
  toOutput: boolean;
}

/** `tar`: packs or unpacks; several options run programs. */
const tar: Grammar = (call) => {
  const found: TarArguments = { members: [], mode: '', toOutput: false };
  const [first, ...rest] = call.args;
  const words =
    first !== undefined && /^[a-zA-Z]+$/.test(first.text)
      ? [{ text: `-${first.text}`, labels: 0 }, ...rest]
      : call.args;
  for (let at = 0; at < words.length; at += 1) at += tarWord(call, words, at, found);
  const archive = found.archive === undefined || found.archive.text === '-' ? undefined : found.archive;
  if (/[cru]/.test(found.mode)) {
    const content = joinTexts([EMPTY, ...found.members.map((member) => call.walk.read(member, 'archive'))]);
    if (archive === undefined) return { text: '\uE000', labels: content.labels };
    call.walk.write(archive, content, 'archive');
    return EMPTY;
  }
  const content = archive === undefined ? call.stdin : call.walk.read(archive);
  if (/x/.test(found.mode)) {
    if (found.toOutput) return { text: '\uE000', labels: content.labels | LABEL.opaque };
    unpack(call, content, call.args);
  }
  return unknownText(content.labels & ~LABEL.downloaded);
};

/** @returns how many words after this one belong to it */
function tarWord(call: Call, words: readonly Text[], at: number, found: TarArguments): number {
  const { text } = words[at] ?? EMPTY;
  const next = words[at + 1] ?? EMPTY;
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const value = equals < 0 ? next : literal(text.slice(equals + 1));
  const taken = equals < 0 ? 1 : 0;
  if (name === '--file') {
    found.archive = value;
    return taken;
  }
  const command = name === '--checkpoint-action' ? checkpointCommand(value) : value;
  if (TAR_PROGRAMS.test(name)) {
    runOption(call, name, command);
    return taken;
  }
  if (TAR_VALUES.test(text)) return 1;
  if (text.startsWith('--')) return tarLongOption(text, found);
  return tarShortOption(call, words[at] ?? EMPTY, next, found);
}

/** `exec=COMMAND`; other actions run nothing. */
function checkpointCommand({ text, labels }: Text): Text {
  return { text: text.includes('exec') ? text.replace(/^.*?exec\s*=?\s*/, '') : '', labels };
}

function tarShortOption(call: Call, word: Text, next: Text, found: TarArguments): number {
  const { text } = word;
  if (text.startsWith('-I')) runOption(call, '-I', literal(text.slice(2)));
  else if (text.startsWith('-') && text.length > 1) return tarLetters(text, next, found);
  else found.members.push(word);
  return 0;
}

function tarLongOption(text: string, found: TarArguments): number {
  if (/^--(?:create|append|update|catenate)$/.test(text)) found.mode += 'c';
  else if (/^--(?:extract|get)$/.test(text)) found.mode += 'x';
  else if (text === '--to-stdout') found.toOutput = true;
  return 0;
}

function tarLetters(text: string, next: Text, found: TarArguments): number {
  const letters = text.slice(1);
  found.mode += letters.replaceAll(/[^cruxtA]/g, '');
  if (letters.includes('O')) found.toOutput = true;
  const file = letters.indexOf('f');
  if (file < 0) return /[CTXbIgKNVH]$/.test(letters) ? 1 : 0;
  const attached = letters.slice(file + 1);
  if (attached !== '' && !/^[a-zA-Z]{1,4}$/.test(attached)) found.archive = literal(attached);
  else found.archive = next;
  return found.archive === next ? 1 : 0;
}

/** Files come out where the archive says; a folder outside is written. */
function unpack(call: Call, content: Text, args: readonly Text[]): void {
  for (const [at, { text }] of args.entries()) {
    const folder = /^(?:-C|--directory|-d)$/.test(text) ? args[at + 1] : undefined;
    const attached = /^(?:--directory=|-C(?=[./~]))(.+)$/.exec(text)?.[1];
    if (folder !== undefined) call.walk.write(folder, content, 'unpack');
    else if (attached !== undefined) call.walk.write(literal(attached), content, 'unpack');
  }
}

/** `zip ARCHIVE FILES`. */
const zip: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  for (const each of parsed.values) if (each.use === 'shell') runOption(call, each.name, each.value);
  const [archive, ...members] = parsed.operands;
  const content = joinTexts([EMPTY, ...members.map((member) => call.walk.read(member, 'archive'))]);
  if (archive !== undefined && archive.text !== '-') call.walk.write(archive, content, 'archive');
  return { text: '\uE000', labels: content.labels };
};

/** Other archivers: with a word that packs, all but the first operand is read. */
const archive: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, parsed, EMPTY);
  const [first = EMPTY] = parsed.operands;
  const packs =
    /^[acurq]+[a-z]*$/.test(first.text) || [...parsed.flags].some((flag) => /^-\w*[co]/.test(flag));
  const members = packs ? parsed.operands.slice(2) : [];
  const content = joinTexts([
    EMPTY,
    call.stdin,
    ...members.map((member) => call.walk.read(member, 'archive')),
  ]);
  const target = packs ? parsed.operands[1] : undefined;
  if (target !== undefined && packs && members.length > 0) call.walk.write(target, content, 'archive');
  return { text: '\uE000', labels: content.labels };
};

/** Encryption of files: the keys are its own, the files are not. */
const crypt: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const { walk } = call;
  const text = call.args.map((each) => each.text).join(' ');
  for (const each of parsed.values)
    if (each.use === 'shell' || each.use === 'program') runOption(call, each.name, each.value);
  if (/--export-secret|--export-ssh|--dump-options-secret/.test(text))
    walk.administer('secrets', `${call.name} ${text}`);
  if (/--delete-secret/.test(text)) walk.administer('destroy', `${call.name} ${text}`);
  if (/--send-keys?/.test(text))
    walk.emit({ verb: 'send', kind: 'publish', labels: 0, object: `${call.name} ${text}` });
  const opening = /(?:^|\s)(?:-d|--decrypt|-\w*d)(?:\s|$)/.test(text);
  const contents = parsed.operands.map((operand) => walk.read(operand, 'encrypt'));
  const content = joinTexts([call.stdin, ...contents]);
  const target = parsed.values.find(({ use }) => use === 'write')?.value;
  if (target !== undefined) walk.write(target, content, 'archive');
  return { text: '\uE000', labels: content.labels | LABEL.opaque | (opening ? LABEL.decoded : 0) };
};

export const ARCHIVE_GRAMMARS: Readonly<Record<string, Grammar>> = { tar, zip, archive, crypt };
