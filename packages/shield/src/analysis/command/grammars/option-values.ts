import { isKnown } from '../../effects/pattern-text.ts';
import type { OptionValue, ParsedArguments } from '../programs/parse-options.ts';
import { joinTexts, type Text } from '../shell/text.ts';
import type { Call } from './grammar.ts';

/** Programs that an option may start without asking: they only transform data. */
const HARMLESS = new Set(
  `gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd lz4 lzop pigz pbzip2 pixz plzip lzip brotli cat less more most bat
   delta diff colordiff head tail sort uniq wc grep sed-n ssh rsh true false echo col nl tac pdflatex xelatex
   lualatex never always auto wkhtmltopdf weasyprint tectonic groff icdiff difftastic pdftotext zcat`.split(
    /\s+/,
  ),
);
const PLAIN = /^[\w ./:=+,@%\uE000-]*$/;

/**
 * An option makes a program start another one. That is unusual: it is asked about, and the started
 * command is judged, too.
 *
 * @param command a command line, or a program with its arguments
 */
export function runOption(call: Call, option: string, command: Text): void {
  const [program = '', ...rest] = command.text.trim().split(/\s+/);
  const name = program.split('/').at(-1) ?? '';
  const plain = PLAIN.test(command.text) && isKnown(program) && !program.startsWith('.');
  const sshOptions = name === 'ssh' && rest.some((word) => word.startsWith('-o') || word === '-F');
  const harmless = plain && HARMLESS.has(name) && !sshOptions;
  if (command.text === '' || (harmless && !/^(?:\/|~|\.)/.test(program.replace(/^\/(?:usr\/)?bin\//, ''))))
    return;
  call.walk.emit({
    verb: 'evaluate',
    kind: 'option',
    labels: command.labels,
    object: `${call.name} ${option} ${command.text}`,
  });
  call.walk.shell(command, { stdin: call.stdin });
}

/** Applies the values of options where the role does not handle them itself. */
export function applyValues(call: Call, { values }: ParsedArguments, written: Text): void {
  for (const each of values) applyValue(call, each, written);
}

function applyValue(call: Call, { name, use, value }: OptionValue, written: Text): void {
  const { walk } = call;
  if (use === 'read') walk.read(value);
  else if (use === 'write' && value.text !== '-') walk.write(value, written);
  else if (use === 'remove') walk.remove(value);
  else if (use === 'shell' || use === 'program') runOption(call, name, value);
  else if (use === 'upload') {
    const content = value.text === '-' ? call.stdin : walk.read(value, 'upload');
    walk.emit({ verb: 'send', labels: content.labels, object: call.name });
  }
}

/** Reads operands; `-` or no operand means standard input. */
export function readOperands(call: Call, operands: readonly Text[]): Text {
  const files = operands.filter(({ text }) => text !== '-');
  const contents = files.map((file) => call.walk.read(file));
  if (files.length === operands.length && files.length > 0) return joinTexts(contents);
  return joinTexts([...contents, call.stdin]);
}

/** Returns the value of the last option with one of the names. */
export function optionValue({ values }: ParsedArguments, ...names: readonly string[]): Text | undefined {
  return values.findLast(({ name }) => names.includes(name))?.value;
}

/** Returns all values with one use. */
export function valuesFor({ values }: ParsedArguments, use: OptionValue['use']): readonly Text[] {
  return values.filter((each) => each.use === use).map(({ value }) => value);
}

export function hasFlag({ flags }: ParsedArguments, ...names: readonly string[]): boolean {
  return names.some((name) => flags.has(name));
}
