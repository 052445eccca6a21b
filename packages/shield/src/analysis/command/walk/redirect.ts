import type { HereDoc, Redirect, Redirection, RedirectOperator } from 'unbash';
import { EMPTY, literal, type Text, unknownText } from '../shell/text.ts';
import { expandParts, expandText } from '../words/expand-word.ts';
import type { Step } from './analysis.ts';
import { wordContext } from './word-context-of.ts';

export interface Redirected {
  /** The command's input. */
  readonly stdin: Text;
  /** Writes the command's output to its targets; returns the rest for the pipe. */
  readonly finish: (output: Text) => Text;
}

interface Target {
  readonly path: Text;
  readonly kind: 'write' | 'append' | 'errors';
}

const unchanged = (output: Text): Text => output;

/** Redirections of one command, in order. */
export function redirect(redirections: readonly Redirection[], step: Step): Redirected {
  let { stdin } = step;
  if (redirections.length === 0) return { stdin, finish: unchanged };
  const targets: Target[] = [];
  for (const each of redirections) {
    if (each.type === 'HereDoc') stdin = hereDocument(each, step);
    else if (each.type === 'HereString')
      stdin = each.target === undefined ? stdin : expandText(each.target, wordContext(step));
    else {
      const { input, target } = openFile(each, step);
      stdin = input ?? stdin;
      if (target !== undefined) targets.push(target);
    }
  }
  return { stdin, finish: (output) => write(targets, output, step) };
}

interface Opened {
  readonly input?: Text;
  readonly target?: Target | undefined;
}

function openFile({ target, operator, descriptor }: Redirect, step: Step): Opened {
  if (target === undefined) return {};
  const path = expandText(target, wordContext(step));
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : undefined;
  const written = targetOf(operator, path, number);
  // A descriptor opened earlier; its origin is not tracked.
  if (operator === '<&' && /^[3-9]|^\d\d/.test(path.text)) return { input: unknownText(), target: written };
  if (!operator.startsWith('<') || operator === '<&') return { target: written };
  const content = step.walk.read(path);
  return number === undefined || number === 0 ? { input: content, target: written } : { target: written };
}

function hereDocument({ body, delimiter }: HereDoc, step: Step): Text {
  const plain = delimiter?.quoted === true || body.parts === undefined;
  return plain ? literal(body.text) : expandParts(body.parts, wordContext(step));
}

/** Undefined for a redirection that writes no file. */
function targetOf(operator: RedirectOperator, path: Text, number: number | undefined): Target | undefined {
  if (operator === '<' || operator === '<&') return undefined;
  if (operator === '>&' && /^\d+-?$|^-$/.test(path.text)) return undefined;
  const errors = number !== undefined && number !== 1 && !operator.startsWith('&');
  return { path, kind: errors ? 'errors' : operator.includes('>>') ? 'append' : 'write' };
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
  return left;
}
