import { LABEL } from '../../effects/labels.ts';
import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../shell/text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, hasFlag, readOperands, runOption, valuesFor } from './option-values.ts';
import { MAX_SCANNED, scanCode } from './scan-code.ts';
import { sedActions } from './sed-script.ts';

/** `sed`: scripts may run, read and write (`e`, `r`, `w`). */
const sed: Grammar = (call) => {
  const parsed = parseArguments(call.args.map(inPlace), call.program);
  const given = valuesFor(parsed, 'code');
  const files = valuesFor(parsed, 'input');
  const first = given.length + files.length > 0 ? [] : parsed.operands.slice(0, 1);
  const operands = parsed.operands.slice(first.length).filter(({ text }) => text !== '');
  const scripts = [...given, ...first, ...files.map((file) => call.walk.read(file, 'run'))];
  for (const script of scripts) sedScript(call, script);
  const content = readOperands(call, operands);
  const changed = hasFlag(parsed, '-i', '--in-place');
  if (changed) for (const operand of operands) call.walk.write(operand, joinTexts(scripts), 'edit');
  return changed ? EMPTY : substitute(content, scripts);
};

/**
 * `-i.bak` and `-i` alike; BSD's `-i` takes its ending as the next word, which is then an operand.
 */
function inPlace(word: Text): Text {
  if (/^-[nEruzs]*i./.test(word.text)) return { text: '-i', labels: word.labels };
  return word.text.startsWith('--in-place=') ? { text: '--in-place', labels: word.labels } : word;
}

function sedScript(call: Call, script: Text): void {
  const { runs, runsText, reads, writes } = sedActions(script.text);
  for (const line of runs) runOption(call, 'e', literal(line));
  if (runsText) {
    call.walk.emit({ verb: 'evaluate', kind: 'option', labels: script.labels, object: `sed ${script.text}` });
  }
  for (const path of writes) call.walk.write(literal(path), EMPTY);
  for (const path of reads) call.walk.read(literal(path));
}

/** Computes one plain replacement in a known text: the result may be a command. */
function substitute(content: Text, scripts: readonly Text[]): Text {
  const match = /^s(\W)([\w ./-]*)\1([\w ./-]*)\1(g?)$/.exec(
    scripts.length === 1 ? (scripts[0]?.text ?? '') : '',
  );
  if (match === null || /[\uE000-\uE002]/.test(content.text) || /[.]/.test(match[2] ?? '')) {
    return { text: content.text === '' ? '' : '\uE000', labels: content.labels | LABEL.opaque };
  }
  const [, , from = '', to = '', all] = match;
  const text = all === 'g' ? content.text.replaceAll(from, () => to) : content.text.replace(from, () => to);
  return { text, labels: content.labels };
}

/** `awk`: programs may run others, and open files and connections. */
const awk: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  const given = valuesFor(parsed, 'code');
  const files = valuesFor(parsed, 'input');
  const first = given.length + files.length > 0 ? [] : parsed.operands.slice(0, 1);
  applyValues(call, parsed, EMPTY);
  for (const script of [...given, ...first, ...files.map((file) => call.walk.read(file, 'run'))])
    awkProgram(call, script);
  const operands = parsed.operands.slice(first.length).filter(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const content = readOperands(call, operands);
  return { text: '\uE000', labels: content.labels | LABEL.opaque };
};

const INET = /\/inet[46]?\/|\/tcp\/|\/udp\//;

function awkProgram(call: Call, { text: whole, labels }: Text): void {
  const { walk } = call;
  const text = whole.slice(0, MAX_SCANNED);
  if (whole.length > MAX_SCANNED) walk.emit({ verb: 'evaluate', kind: 'computed', labels, object: 'awk' });
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"|\/(?:[^/\\\n]|\\.)*\//g, '""');
  if (INET.test(text))
    walk.emit({ verb: 'send', kind: 'code', labels: labels | call.stdin.labels, object: `awk ${text}` });
  for (const [, command = ''] of text.matchAll(/(?:system\s*\(\s*|\|&?\s*)"((?:[^"\\]|\\.)*)"/g))
    runOption(call, 'system', literal(command));
  for (const [, command = ''] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline/g))
    runOption(call, 'getline', literal(command));
  for (const [, path = ''] of text.matchAll(/>{1,2}\s*"([^"]+)"/g)) walk.write(literal(path), call.stdin);
  for (const [, path = ''] of text.matchAll(/getline\s*(?:\w+\s*)?<\s*\(?"([^"]+)"/g))
    walk.read(literal(path));
  if (
    /system\s*\(\s*[^"\s)]/.test(bare) ||
    /@load|\bload\s*\(/.test(text) ||
    /(?<!\|)\|&?\s*(?:\$\d|[a-z]\w*\s*[;}])/.test(bare)
  ) {
    const kind = INET.test(text) ? 'network-shell' : 'option';
    walk.emit({ verb: 'evaluate', kind, labels: labels | call.stdin.labels, object: `awk ${text}` });
  }
}

const EDITOR_RUNS =
  /^(?:\d*,?\d*|%)?\s*[:!]|(?:^|[|:\s'"(])(?:!|r !|w !|read !|te(?:rm(?:inal)?)?\b|sh(?:ell)?\b|py(?:thon|x)?[3x]?\b|pyf\w*|perl\b|ruby\b|lua\b|tcl\b|mz\w*|call (?:system|term_start|job_start)|so(?:urce)?\b|shell-command|call-process|start-process|eval\b|execute\b|make\b|grep\b|cexpr)/;

/** Editors: the commands and scripts they receive, and the files they write. */
const editor: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, parsed, EMPTY);
  for (const code of [...valuesFor(parsed, 'code'), ...call.args.filter(({ text }) => /^\+./.test(text))]) {
    editorCommand(call, { text: code.text.replace(/^\+/, ''), labels: code.labels });
  }
  for (const file of valuesFor(parsed, 'input')) {
    call.walk.read(file, 'run');
    call.walk.emit({
      verb: 'evaluate',
      kind: 'option',
      labels: file.labels,
      object: `${call.name} ${file.text}`,
    });
  }
  for (const operand of parsed.operands) editFile(call, operand);
  if (/^(?:ed|ex|red)$/.test(call.name) && call.stdin.text !== '') return edScript(call);
  if (/^(?:code|cursor|codium|code-insiders|windsurf)$/.test(call.name)) {
    if (call.args[0]?.text === 'tunnel' || call.args[0]?.text === 'serve-web')
      call.walk.emit({ verb: 'listen', kind: 'tunnel', labels: 0, object: `${call.name} tunnel` });
  }
  return unknownText();
};

function editFile(call: Call, operand: Text): void {
  const { zone, overlays } = call.walk.placeOf(operand);
  if (/^(?:view|rvim|gview)$/.test(call.name)) call.walk.read(operand);
  else if (overlays.length > 0 || zone === 'system') {
    call.walk.read(operand);
    call.walk.write(operand, EMPTY, 'edit');
  }
}

function editorCommand(call: Call, code: Text): void {
  if (!EDITOR_RUNS.test(code.text)) return;
  call.walk.emit({
    verb: 'evaluate',
    kind: 'option',
    labels: code.labels,
    object: `${call.name} ${code.text}`,
  });
  const shell = /!\s*(.+)$/s.exec(code.text)?.[1];
  if (shell !== undefined) call.walk.shell({ text: shell, labels: code.labels });
  else scanCode(code, call.name, call.walk);
}

/** Commands of `ed` on its input: `e FILE`, `r FILE`, `w FILE`, `!COMMAND`. */
function edScript(call: Call): Text {
  let labels = call.stdin.labels;
  for (const line of call.stdin.text.split('\n').slice(0, 100)) {
    const [, verb = '', rest = ''] = /^[\d,$.%]*\s*([eErfwW]|!)\s*(.*)$/.exec(line.trim()) ?? [];
    if (verb === '!' || rest.startsWith('!')) editorCommand(call, literal(`!${rest.replace(/^!/, '')}`));
    else if (/^[wW]$/.test(verb) && rest !== '') call.walk.write(literal(rest), EMPTY, 'edit');
    else if (/^[eEr]$/.test(verb) && rest !== '') labels |= call.walk.read(literal(rest)).labels;
  }
  return unknownText(labels | LABEL.opaque);
}

/** Pagers and manuals: the files they show, and programs that an option makes them run. */
const pager: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, parsed, EMPTY);
  for (const code of valuesFor(parsed, 'code')) editorCommand(call, code);
  if (call.name === 'man') {
    for (const operand of parsed.operands) if (/^[./~]/.test(operand.text)) call.walk.read(operand);
    return unknownText(LABEL.none);
  }
  for (const { text } of call.args) if (text.startsWith('+')) editorCommand(call, literal(text.slice(1)));
  return readOperands(
    call,
    parsed.operands.filter(({ text }) => !text.startsWith('+')),
  );
};

/** Debuggers: they run programs, and read the memory of others. */
const debuggers: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, parsed, EMPTY);
  for (const code of valuesFor(parsed, 'code')) {
    if (
      /(?:^|\s)(?:!|shell|python|py|pi|make|call|source|run|script|platform shell|command script|eval|printf\(system|print system|p system|dump|generate-core)/.test(
        code.text,
      )
    ) {
      call.walk.emit({
        verb: 'evaluate',
        kind: 'option',
        labels: code.labels,
        object: `${call.name} ${code.text}`,
      });
      const shell = /(?:^|\s)(?:!|shell)\s*(.+)$/s.exec(code.text)?.[1];
      if (shell !== undefined) call.walk.shell({ text: shell, labels: code.labels });
    }
  }
  for (const file of valuesFor(parsed, 'input'))
    call.walk.emit({ verb: 'evaluate', kind: 'option', labels: 0, object: `${call.name} ${file.text}` });
  if (call.args.some(({ text }) => /^(?:-p|--pid|--attach-pid|attach)/.test(text)))
    call.walk.administer('memory', `${call.name} attaches to a process`);
  if (/^(?:bpftrace|stap|dtrace|frida)/.test(call.name)) call.walk.administer('capture', call.name);
  return unknownText();
};

export const EDITOR_GRAMMARS: Readonly<Record<string, Grammar>> = {
  sed,
  awk,
  editor,
  pager,
  'reader-pager': pager,
  debugger: debuggers,
};
