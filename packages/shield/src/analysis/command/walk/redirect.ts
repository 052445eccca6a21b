import type { Redirection } from 'unbash';
import { EMPTY, joinTexts, literal, type Text } from '../text.ts';
import { expandParts, expandText } from '../words/expand-word.ts';
import type { Step } from './walk-node.ts';
import { wordContext } from './word-context-of.ts';

export interface Redirected {
  /** What the command reads. */
  readonly stdin: Text;
  /** Writes what the command printed where it goes; gives what is left for the pipe. */
  readonly finish: (output: Text) => Text;
}

interface Target {
  readonly path: Text;
  readonly kind: 'write' | 'append' | 'errors';
}

/** Redirections of one command, in order. */
export function redirect(redirections: readonly Redirection[], step: Step): Redirected {
  let { stdin } = step;
  const targets: Target[] = [];
  const context = wordContext(step);
  for (const each of redirections) {
    if (each.type === 'HereDoc') {
      const { parts, text } = each.body;
      stdin =
        each.delimiter?.quoted === true || parts === undefined ? literal(text) : expandParts(parts, context);
      continue;
    }
    if (each.target === undefined) continue;
    const path = expandText(each.target, context);
    if (each.type === 'HereString') {
      stdin = path;
      continue;
    }
    const number = each.descriptor?.type === 'FileDescriptor' ? each.descriptor.value : undefined;
    if (each.operator === '<' || each.operator === '<>') {
      const content = step.walk.read(path);
      if (number === undefined || number === 0) stdin = content;
      if (each.operator === '<') continue;
    }
    if (each.operator === '<&' || (each.operator === '>&' && /^\d+-?$|^-$/.test(path.text))) continue;
    const errors = number !== undefined && number !== 1 && !each.operator.startsWith('&');
    targets.push({ path, kind: errors ? 'errors' : each.operator.includes('>>') ? 'append' : 'write' });
  }
  return { stdin, finish: (output) => write(targets, output, step) };
}

function write(targets: readonly Target[], output: Text, { walk }: Step): Text {
  let left = output;
  for (const { path, kind } of targets) {
    if (kind === 'errors') walk.write(path, EMPTY);
    else {
      walk.write(path, output, kind);
      const shown = /^\/dev\/(?:stdout|stderr|tty|fd\/[12])$/.test(path.text);
      left = shown ? output : EMPTY;
    }
  }
  return targets.length === 0 ? output : joinTexts([left]);
}
