import { LABEL } from '../../effects/labels.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../shell/text.ts';
import type { Walk } from '../shell/walk.ts';
import { entered } from './entered.ts';
import type { Call, Grammar } from './grammar.ts';
import { runOption } from './option-values.ts';

const PROGRAMS =
  /^(?:-I|--checkpoint-action|--use-compress-program|--use-compress-prog|--to-command|--rsh-command|--rmt-command|--info-script|--new-volume-script|-F)$/;
/** Long options whose value is irrelevant here. */
const VALUES =
  /^--(?:exclude-from|exclude|transform|format|owner|group|mode|mtime|strip-components|one-top-level|listed-incremental|warning|level)$/;
const VALUE_LETTERS = 'fCTXbIgKNVHLF';

/** State from the words of a call read so far. */
interface TarArguments {
  archive?: Text;
  /** Where later names and unpacked files lie, if not in the shell's own folder. */
  inside?: Walk;
  readonly members: { readonly walk: Walk; readonly name: Text }[];
  mode: string;
  toOutput: boolean;
}

/** `tar`: packs or unpacks; several options run programs. */
const tar: Grammar = (call) => {
  const found: TarArguments = { members: [], mode: '', toOutput: false };
  const [first, ...rest] = call.args;
  let from = 0;
  // The oldest form has no dash; its letters take their values in order from the words that follow.
  if (first !== undefined && /^[a-zA-Z]+$/.test(first.text))
    from = 1 + oldLetters(call, first.text, rest, found);
  for (let at = from; at < call.args.length; at += 1) at += tarWord(call, call.args, at, found);
  return carryOut(call, found);
};

function carryOut(call: Call, found: TarArguments): Text {
  const archive = found.archive?.text === '-' ? undefined : found.archive;
  if (/[cru]/.test(found.mode)) {
    const content = joinTexts([EMPTY, ...found.members.map(({ walk, name }) => walk.read(name, 'archive'))]);
    if (archive === undefined) return { text: '\uE000', labels: content.labels };
    call.walk.write(archive, content, 'archive');
    return EMPTY;
  }
  const content = archive === undefined ? call.stdin : call.walk.read(archive);
  if (!/x/.test(found.mode)) return unknownText(content.labels & ~LABEL.downloaded);
  if (found.toOutput) return { text: '\uE000', labels: content.labels | LABEL.opaque };
  // The archive chooses the file names; an outside folder is written.
  found.inside?.write(literal('.'), content, 'unpack');
  return unknownText(content.labels & ~LABEL.downloaded);
}

/** @returns how many following words belong to it */
function tarWord(call: Call, words: readonly Text[], at: number, found: TarArguments): number {
  const word = words[at] ?? EMPTY;
  const next = words[at + 1] ?? EMPTY;
  if (word.text.startsWith('--')) return longOption(call, word.text, next, found);
  if (!word.text.startsWith('-') || word.text.length === 1) {
    member(call, word, found);
    return 0;
  }
  return letters(call, word, next, found);
}

function longOption(call: Call, text: string, next: Text, found: TarArguments): number {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const value = equals < 0 ? next : literal(text.slice(equals + 1));
  const taken = equals < 0 ? 1 : 0;
  if (name === '--file') found.archive = value;
  else if (name === '--directory') enter(call, value, found);
  else if (name === '--add-file') member(call, value, found);
  else if (name === '--files-from') call.walk.read(value);
  else if (PROGRAMS.test(name)) {
    runOption(call, name, name === '--checkpoint-action' ? checkpointCommand(value) : value);
  } else if (!VALUES.test(name)) {
    mode(name, found);
    return 0;
  }
  return taken;
}

function member({ walk }: Call, name: Text, found: TarArguments): void {
  found.members.push({ walk: found.inside ?? walk, name });
}

/** Each `-C` is relative to the one before. */
function enter({ walk }: Call, folder: Text, found: TarArguments): void {
  found.inside = entered(found.inside ?? walk, folder);
}

function mode(name: string, found: TarArguments): void {
  if (/^--(?:create|append|update|catenate)$/.test(name)) found.mode += 'c';
  else if (/^--(?:extract|get)$/.test(name)) found.mode += 'x';
  else if (name === '--to-stdout') found.toOutput = true;
}

/** `exec=COMMAND`; other actions run nothing. */
function checkpointCommand({ text, labels }: Text): Text {
  return { text: text.includes('exec') ? text.replace(/^.*?exec\s*=?\s*/, '') : '', labels };
}

/**
 * `-xzf FILE`, `-C/FOLDER`: the first letter with a value takes the rest of the word, or else the
 * next one.
 */
function letters(call: Call, { text, labels }: Text, next: Text, found: TarArguments): number {
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    const rest = text.slice(at + 1);
    // Some people write flags after the letter `f`; the archive's name is then the next word.
    const flags = letter === 'f' && /^[a-zA-Z]{1,4}$/.test(rest);
    if (!VALUE_LETTERS.includes(letter)) flag(letter, found);
    else if (rest === '' || flags) {
      for (const each of flags ? rest : '') flag(each, found);
      valued(call, letter, next, found);
      return 1;
    } else {
      valued(call, letter, { text: rest, labels }, found);
      return 0;
    }
  }
  return 0;
}

/** @returns how many of the following words were values */
function oldLetters(call: Call, text: string, rest: readonly Text[], found: TarArguments): number {
  let taken = 0;
  for (const letter of text) {
    if (!VALUE_LETTERS.includes(letter)) flag(letter, found);
    else {
      valued(call, letter, rest[taken] ?? EMPTY, found);
      taken += 1;
    }
  }
  return taken;
}

function flag(letter: string, found: TarArguments): void {
  if (/[cruxtA]/.test(letter)) found.mode += letter;
  if (letter === 'O') found.toOutput = true;
}

function valued(call: Call, letter: string, value: Text, found: TarArguments): void {
  if (letter === 'f') found.archive = value;
  else if (letter === 'C') enter(call, value, found);
  else if (letter === 'T') call.walk.read(value);
  else if (letter === 'I' || letter === 'F') runOption(call, `-${letter}`, value);
}

export const TAR_GRAMMARS: Readonly<Record<string, Grammar>> = { tar };
