import { LABEL } from '../../effects/labels.ts';
import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts } from '../shell/text.ts';
import type { Grammar } from './grammar.ts';
import { applyValues, runOption } from './option-values.ts';

/** `zip ARCHIVE FILES`. */
const zip: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  for (const each of parsed.values) if (each.use === 'shell') runOption(call, each.name, each.value);
  const [archive, ...members] = parsed.operands;
  const content = joinTexts([EMPTY, ...members.map((member) => call.walk.read(member, 'archive'))]);
  if (archive !== undefined && archive.text !== '-') call.walk.write(archive, content, 'archive');
  return { text: '\uE000', labels: content.labels };
};

/** Other archivers: after a packing verb, all operands but the first are read. */
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

/** Encryption of files: reads the files; the keys belong to the program. */
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

/** Grammars of other archivers than `tar`, and of encryption. */
export const ARCHIVE_GRAMMARS: Readonly<Record<string, Grammar>> = { zip, archive, crypt };
