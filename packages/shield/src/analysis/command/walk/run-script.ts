import { parse, type Script } from 'unbash';
import { isKnown } from '../../effects/pattern-text.ts';
import { subshell } from '../shell/shell-state.ts';
import { EMPTY, type Text } from '../shell/text.ts';
import type { ShellOptions, Walk } from '../shell/walk.ts';
import type { Analysis } from './analysis.ts';
import { createWalk } from './create-walk.ts';
import { walkNode, walkStatements } from './walk-node.ts';

/** Runs text as a shell script: parses and walks it, and reports its errors. */
export function runScript(code: Text, walk: Walk, analysis: Analysis, options: ShellOptions): Text {
  walk.budget.expand(code.text.length);
  const script = parse(code.text);
  const inner = options.same === true ? walk : createWalk(subshell(walk.state), analysis);
  setParameters(inner, options.parameters);
  reportErrors(script, code.text, inner);
  return walkStatements(script.commands, { walk: inner, analysis, stdin: options.stdin ?? EMPTY });
}

function setParameters({ state }: Walk, parameters: readonly Text[] | undefined): void {
  if (parameters === undefined) return;
  const [name, ...rest] = parameters;
  if (name !== undefined) state.variables.set('0', name);
  state.arrays.set('@', rest);
  for (const [index, value] of rest.entries()) state.variables.set(`${index + 1}`, value);
}

/** Parts that could not be parsed were not judged. */
export function reportErrors(
  script: Script & { readonly errors?: readonly { readonly message: string }[] | undefined },
  source: string,
  walk: Walk,
): void {
  const [error] = script.errors ?? [];
  if (error !== undefined)
    walk.emit({
      verb: 'evaluate',
      kind: 'unparsed',
      labels: 0,
      object: `${error.message}: ${source.slice(0, 60)}`,
    });
}

/** Text written to a name that a process reads. */
export function runScriptSink(path: string, content: Text, walk: Walk, analysis: Analysis): boolean {
  const script = walk.state.sinks.get(path);
  if (script === undefined) return false;
  walk.budget.deeper(() => walkStatements(script.commands, { walk: walk.apart(), analysis, stdin: content }));
  return true;
}

/** A function of the script, with its arguments. */
export function runFunction(
  words: readonly Text[],
  stdin: Text,
  walk: Walk,
  analysis: Analysis,
): Text | undefined {
  const [first = EMPTY, ...args] = words;
  const body = isKnown(first.text) ? walk.state.functions.get(first.text) : undefined;
  if (body === undefined) return undefined;
  walk.budget.command();
  const { state } = walk;
  const saved = state.arrays.get('@');
  const before = args.map((_, index) => state.variables.get(`${index + 1}`));
  setParameters(walk, [first, ...args]);
  const output = walk.budget.deeper(() => walkNode(body, { walk, analysis, stdin }));
  for (const [index, value] of before.entries()) {
    if (value === undefined) state.variables.delete(`${index + 1}`);
    else state.variables.set(`${index + 1}`, value);
  }
  if (saved === undefined) state.arrays.delete('@');
  else state.arrays.set('@', saved);
  return output;
}
