import { hasLabel, LABEL } from '../../effects/labels.ts';
import { hasHole } from '../../effects/pattern-text.ts';
import { decodeBase64, decoded } from '../decode/decode-text.ts';
import { type ParsedArguments, parseArguments } from '../programs/parse-options.ts';
import { EMPTY, literal, type Text, unknownText } from '../shell/text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, hasFlag, optionValue, valuesFor } from './option-values.ts';
import { scanCode } from './scan-code.ts';

/** `sh -c CODE NAME ARGUMENTS`, `sh FILE ARGUMENTS`, `sh < CODE`. */
const shellProgram: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  const other = /^(?:pwsh|powershell|fish|csh|tcsh|nu|xonsh|elvish|rc|es)$/.test(call.name);
  const flagged = [...parsed.flags].some((flag) => /^-[a-z]*c[a-z]*$/.test(flag));
  const code =
    optionValue(parsed, '-c', '--command', '-Command', '-C') ?? (flagged ? parsed.operands[0] : undefined);
  for (const file of valuesFor(parsed, 'input')) sourced(call, file, []);
  const encoded = optionValue(parsed, '-EncodedCommand', '-enc');
  if (encoded !== undefined) return call.walk.shell(decoded(encoded, decodeBase64), { stdin: call.stdin });
  if (code !== undefined) {
    if (other) scanCode(code, call.name, call.walk);
    return call.walk.shell(code, { stdin: call.stdin, parameters: parsed.operands.slice(flagged ? 1 : 0) });
  }
  const [file, ...rest] = parsed.operands;
  if (file !== undefined && !hasFlag(parsed, '-s') && file.text !== '-') {
    return sourced(call, file, rest);
  }
  return fromInput(call, (text) =>
    call.walk.shell(text, { parameters: [literal(call.name), ...parsed.operands] }),
  );
};

/** Runs a script by its name: content that the command wrote there, or an existing file. */
function sourced(call: Call, file: Text, parameters: readonly Text[]): Text {
  const content = call.walk.read(file, 'run');
  const place = call.walk.placeOf(file);
  const known = content.text !== '' && !hasHole(content.text);
  if (known || hasLabel(content.labels, 'downloaded', 'decoded')) {
    return call.walk.shell(content, { stdin: call.stdin, parameters: [file, ...parameters] });
  }
  if (place.zone !== 'stream') {
    call.walk.emit({ verb: 'execute', place, labels: content.labels, object: place.path });
  }
  return unknownText();
}

/** An interpreter that reads its code from its input. */
function fromInput(call: Call, run: (text: Text) => Text): Text {
  const { stdin, walk } = call;
  if (stdin.text === '' && stdin.labels === LABEL.none) {
    walk.emit({ verb: 'evaluate', kind: 'interactive', labels: LABEL.none, object: call.name });
    return EMPTY;
  }
  return run(stdin);
}

const NETWORK_MODULES = /^(?:CGIHTTPServer|smtpd|pyftpdlib|uploadserver|ftplib|telnetlib|aiosmtpd|twisted)/;
/**
 * They serve the files of one folder to anyone who can connect; in a box, only to programs in it.
 */
const FOLDER_SERVERS = /^(?:http\.server|SimpleHTTPServer)$/;

const interpreter: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program, 'operand');
  applyValues(call, parsed, EMPTY);
  const codes = valuesFor(parsed, 'code');
  for (const code of codes) runCode(call, code);
  const module = optionValue(parsed, '-m');
  if (/^(?:python|pypy)/.test(call.name) && module !== undefined) return runModule(call, module, parsed);
  if (/^php/.test(call.name) && optionValue(parsed, '-S') !== undefined) {
    serve(call, optionValue(parsed, '-t'), 'php -S');
  }
  if (codes.length > 0) return unknownText();
  const [file, ...rest] = parsed.operands;
  const input = valuesFor(parsed, 'input')[0] ?? file;
  if (call.args.some(({ text }) => /^(?:-v|-V|--?version|--?help|-h)$/.test(text)))
    return unknownText(LABEL.none);
  if (input !== undefined && input.text !== '-') return runFile(call, input, rest);
  return fromInput(call, (text) => {
    runCode(call, text);
    return unknownText();
  });
};

function runFile(call: Call, file: Text, _rest: readonly Text[]): Text {
  const content = call.walk.read(file, 'run');
  const place = call.walk.placeOf(file);
  runCode(call, content);
  if (place.zone !== 'stream')
    call.walk.emit({ verb: 'execute', place, labels: content.labels, object: place.path });
  return unknownText();
}

/** Runs code of another language, with the labels of its origin. */
function runCode(call: Call, code: Text): void {
  if (hasLabel(code.labels, 'downloaded', 'decoded', 'secret') || code.text === '\uE000') {
    const foreign = hasLabel(code.labels, 'downloaded', 'decoded');
    if (foreign) call.walk.emit({ verb: 'evaluate', labels: code.labels, object: call.name });
  }
  scanCode(code, call.name, call.walk);
}

function serve({ walk }: Call, folder: Text | undefined, object: string): void {
  const { labels } = walk.read(folder ?? literal('.'));
  const place = walk.placeOf(folder ?? literal('.'));
  walk.emit({ verb: 'listen', kind: 'files', place, labels, object });
}

function servedFolder(args: readonly Text[]): Text | undefined {
  const attached = args.find(({ text }) => text.startsWith('--directory='));
  if (attached !== undefined) return literal(attached.text.slice(12));
  const at = args.findIndex(({ text }) => /^(?:-d|--directory)$/.test(text));
  return at < 0 ? undefined : args[at + 1];
}

function runModule(call: Call, module: Text, parsed: ParsedArguments): Text {
  if (FOLDER_SERVERS.test(module.text)) {
    serve(call, servedFolder(call.args), `${call.name} -m ${module.text}`);
    return EMPTY;
  }
  if (NETWORK_MODULES.test(module.text)) {
    call.walk.emit({ verb: 'listen', labels: LABEL.none, object: `${call.name} -m ${module.text}` });
    return EMPTY;
  }
  if (/^(?:pip|venv|pytest|unittest|http|ensurepip)/.test(module.text)) {
    return call.walk.run([module, ...parsed.operands], call.stdin);
  }
  return unknownText();
}

/** `eval WORDS`: the words are one script. */
export function evaluateWords(call: Call): Text {
  let labels = 0;
  for (const word of call.args) labels |= word.labels;
  const code = { text: call.args.map(({ text }) => text).join(' '), labels };
  if (hasHole(code.text)) {
    call.walk.emit({ verb: 'evaluate', kind: 'computed', labels, object: 'eval' });
  }
  return call.walk.shell(code, { same: true, stdin: call.stdin });
}

/** `. FILE`. */
export function sourceFile(call: Call): Text {
  const [file, ...parameters] = call.args;
  if (file === undefined) return EMPTY;
  const content = call.walk.read(file, 'run');
  if (hasHole(content.text) && !hasLabel(content.labels, 'downloaded', 'decoded')) {
    const place = call.walk.placeOf(file);
    if (place.zone !== 'stream') {
      call.walk.emit({ verb: 'execute', place, labels: content.labels, object: place.path });
      return EMPTY;
    }
  }
  return call.walk.shell(content, { same: true, parameters: [file, ...parameters] });
}

/** Shells and interpreters. */
export const SHELL_GRAMMARS: Readonly<Record<string, Grammar>> = {
  'shell-program': shellProgram,
  interpreter,
};
