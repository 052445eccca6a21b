import { LABEL } from '../../effects/labels.ts';
import {
  decodeBase32,
  decodeBase64,
  decoded,
  decodeHex,
  removeCharacters,
  reverseLines,
  translate,
} from '../decode/decode-text.ts';
import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, mapKnown, type Text } from '../shell/text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, hasFlag, optionValue, readOperands } from './option-values.ts';

/** Programs that print their input unchanged. */
const SAME =
  /^(?:g?cat|less|more|most|bat|batcat|catv|unbuffer|column|fmt|expand|unexpand|zless|pr|iconv|look|ul)$/;

/** Reads its operands and prints them changed; the output is known where the change is. */
const transform: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const content = readOperands(call, parsed.operands);
  applyValues(call, parsed, content);
  if (SAME.test(call.name)) return content;
  const name = call.name.replace(/^g(?=base64)/, '');
  const decode = hasFlag(parsed, '-d', '-D', '--decode') || optionValue(parsed, '-d', '-D') !== undefined;
  if (name === 'base64') return base64(call, content, decode);
  if (name === 'b64encode' || name === 'uuencode') return hidden(content);
  if (name === 'base32' || name === 'basenc')
    return decode ? decoded(content, decodeBase32) : hidden(content);
  if (name === 'xxd' && hasFlag(parsed, '-r')) return decoded(content, decodeHex);
  if (name === 'rev') return mapKnown(content, reverseLines);
  if (name === 'tac') return mapKnown(content, (text) => text.split('\n').reverse().join('\n').trim());
  if (/^g?(?:head|tail)$/.test(name)) return part(call, content, parsed.operands.length);
  return { text: content.text === '' ? '' : '\uE000', labels: content.labels | LABEL.opaque };
};

function base64(call: Call, content: Text, decode: boolean): Text {
  const flagged = call.args.some(({ text }) => /^-[a-zA-Z]*[dD]/.test(text) && !text.startsWith('--'));
  if (decode || flagged) return decoded(content, decodeBase64);
  return mapKnown(content, (text) => Buffer.from(text).toString('base64'));
}

function hidden(content: Text): Text {
  return { text: '\uE000', labels: content.labels | LABEL.opaque };
}

/** For a text of one line, the result is the whole text. */
function part(call: Call, content: Text, operands: number): Text {
  if (operands > 1 || call.args.some(({ text }) => /c/.test(text))) return hidden(content);
  return mapKnown(content, (text) => (text.trim().includes('\n') ? undefined : text));
}

/** `tr`: characters for characters. */
const words: Grammar = (call) => {
  const options = call.args
    .filter(({ text }) => /^-[a-zA-Z]+$/.test(text))
    .map(({ text }) => text)
    .join('');
  const [from = EMPTY, to = EMPTY] = call.args.filter(({ text }) => !/^-[a-zA-Z]+$/.test(text));
  if (/[cCs]/.test(options)) return hidden(call.stdin);
  return mapKnown(call.stdin, (text) =>
    options.includes('d') ? removeCharacters(text, from.text) : translate(text, from.text, to.text),
  );
};

const openssl: Grammar = (call) => {
  const texts = call.args.map(({ text }) => text);
  const [command = ''] = texts;
  const value = (name: string) => call.args[texts.indexOf(name) + 1];
  const opening = texts.includes('-d');
  const source = texts.includes('-in') ? value('-in') : undefined;
  const content =
    source === undefined
      ? call.stdin
      : call.walk.read(
          source,
          /^(?:rsa|pkey|ec|req|x509|genrsa|pkcs|s_|dgst)/.test(command) ? 'key-use' : 'read',
        );
  const target = texts.includes('-out') ? value('-out') : undefined;
  if (command === 's_client' || command === 's_server') {
    call.walk.emit({
      verb: command === 's_server' ? 'listen' : 'send',
      kind: 'stream',
      labels: call.stdin.labels,
      object: `openssl ${texts.join(' ')}`,
    });
  }
  if (texts.some((text) => text === '-engine' || text === '-provider-path' || text === '-provider')) {
    call.walk.emit({
      verb: 'evaluate',
      kind: 'option',
      labels: LABEL.none,
      object: `openssl ${texts.join(' ')}`,
    });
  }
  const plain =
    /^(?:base64|enc)$/.test(command) &&
    !texts.some((text) => /^-(?:aes|des|camellia|chacha|rc4|bf)/.test(text));
  const result = opening && plain ? decoded(content, decodeBase64) : hiddenCode(content, opening);
  if (target === undefined) return result;
  call.walk.write(target, result);
  return EMPTY;
};

function hiddenCode(content: Text, opening: boolean): Text {
  return { text: '\uE000', labels: content.labels | LABEL.opaque | (opening ? LABEL.decoded : LABEL.none) };
}

/** Grammars of programs that change a text. */
export const TRANSFORM_GRAMMARS: Readonly<Record<string, Grammar>> = { transform, words, openssl };
