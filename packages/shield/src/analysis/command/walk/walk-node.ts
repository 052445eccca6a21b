import type {
  AndOr,
  Case,
  CompoundList,
  For,
  Pipeline,
  Redirected,
  Select,
  Statement,
  SyntaxNode,
} from 'unbash';
import { isKnown } from '../../effects/pattern-text.ts';
import { EMPTY, joinTexts, type Text, unknownText } from '../shell/text.ts';
import { expandFields, expandText } from '../words/expand-word.ts';
import { nestedScripts } from '../words/nested-scripts.ts';
import type { Step } from './analysis.ts';
import { redirect } from './redirect.ts';
import { walkCommand } from './walk-command.ts';
import { wordContext } from './word-context-of.ts';

/** Walks statements in order; returns all their output. */
export function walkStatements(statements: readonly Statement[], step: Step): Text {
  return joinOutputs(statements.map(({ command }) => walkNode(command, step)));
}

function joinOutputs(outputs: readonly Text[]): Text {
  const printed = outputs.filter(({ text, labels }) => text !== '' || labels !== 0);
  return printed.length === 0 ? EMPTY : joinTexts(printed, '\n');
}

function walkList(list: CompoundList | undefined, step: Step): Text {
  return list === undefined ? EMPTY : walkStatements(list.commands, step);
}

/** Walks any node that runs. Every branch counts, since the branch taken is unknown. */
export function walkNode(node: SyntaxNode, step: Step): Text {
  switch (node.type) {
    case 'Command':
      return walkCommand(node, step);
    case 'Statement':
      return walkNode(node.command, step);
    case 'Pipeline':
      return walkPipeline(node, step);
    case 'AndOr':
      return walkAndOr(node, step);
    case 'CompoundList':
      return walkList(node, step);
    case 'Subshell':
      return walkList(node.body, { ...step, walk: step.walk.apart() });
    case 'BraceGroup':
      return walkList(node.body, step);
    case 'If':
      return joinOutputs([
        walkList(node.clause, step),
        branch(step, () => walkList(node.then, step)),
        ...node.elif.map((each) =>
          branch(step, () => joinOutputs([walkList(each.clause, step), walkList(each.then, step)])),
        ),
        branch(step, () => walkList(node.else, step)),
      ]);
    case 'While':
      return joinOutputs([walkList(node.clause, step), branch(step, () => walkTwice(node.body, step))]);
    default:
      return walkOther(node, step);
  }
}

function walkOther(node: SyntaxNode, step: Step): Text {
  switch (node.type) {
    case 'For':
    case 'Select':
      return walkFor(node, step);
    case 'ArithmeticFor':
      substitutions(node, step);
      return walkTwice(node.body, step);
    case 'Case':
      return walkCase(node, step);
    case 'Redirected':
      return walkRedirected(node, step);
    case 'Function':
      step.walk.state.functions.set(node.name.value, node.body);
      return EMPTY;
    case 'Coproc':
      return walkNode(node.body, step);
    default:
      substitutions(node, step);
      return EMPTY;
  }
}

/** A test or a calculation: the commands substituted in it run. */
function substitutions(node: SyntaxNode, step: Step): void {
  for (const script of nestedScripts(node)) {
    if (node.type === 'ArithmeticFor') continue;
    step.walk.budget.deeper(() => walkStatements(script.commands, { ...step, walk: step.walk.apart() }));
  }
}

/**
 * A part that may or may not run: a variable it changes may have either value, so it is unknown; a
 * variable not set before has the new value.
 */
function branch(step: Step, run: () => Text): Text {
  const { variables } = step.walk.state;
  const before = new Map(variables);
  const output = run();
  for (const [name, value] of before) {
    const now = variables.get(name);
    if (now !== undefined && now.text !== value.text)
      variables.set(name, unknownText(now.labels | value.labels));
  }
  return output;
}

/** A body that runs again sees its own changes. */
function walkTwice(body: CompoundList, step: Step): Text {
  const before = new Map(step.walk.state.variables);
  const first = walkList(body, step);
  const changed = [...step.walk.state.variables].some(
    ([name, { text }]) => before.has(name) && before.get(name)?.text !== text,
  );
  return changed ? joinOutputs([first, walkList(body, step)]) : first;
}

function walkPipeline({ commands }: Pipeline, step: Step): Text {
  let stdin = step.stdin;
  for (const [index, command] of commands.entries()) {
    const last = index === commands.length - 1;
    const walk = last ? step.walk : step.walk.apart();
    stdin = walkNode(command, { ...step, walk, stdin });
  }
  return stdin;
}

/** The right side of `||` prints only if the left one failed. */
function walkAndOr({ commands, operators }: AndOr, step: Step): Text {
  const outputs: Text[] = [];
  for (const [index, command] of commands.entries()) {
    const operator = operators[index - 1];
    const output = operator === '||' ? branch(step, () => walkNode(command, step)) : walkNode(command, step);
    const spare = operator === '||' && outputs.some(({ text }) => text !== '' && isKnown(text));
    if (!spare || output.labels !== 0) outputs.push(output);
  }
  return joinOutputs(outputs);
}

const MAX_ROUNDS = 32;

/** The body runs once for each known item. */
function walkFor(node: For | Select, step: Step): Text {
  const context = wordContext(step);
  const items =
    node.wordlist === undefined
      ? (context.elements('@') ?? [unknownText()])
      : node.wordlist.flatMap((word) => expandFields(word, context));
  const rounds = items.slice(0, MAX_ROUNDS);
  const outputs = rounds.map((item) => {
    step.walk.state.variables.set(node.name.value, item);
    return walkList(node.body, step);
  });
  if (items.length > MAX_ROUNDS) {
    step.walk.state.variables.set(
      node.name.value,
      joinTexts([unknownText(), ...items.slice(MAX_ROUNDS)].map(({ labels }) => unknownText(labels))),
    );
    outputs.push(walkList(node.body, step));
  }
  return joinOutputs(outputs);
}

function walkCase(node: Case, step: Step): Text {
  expandText(node.word, wordContext(step));
  return joinOutputs(node.items.map(({ body }) => branch(step, () => walkList(body, step))));
}

function walkRedirected(node: Redirected, step: Step): Text {
  step.analysis.onCommand([], false);
  const { stdin, finish } = redirect(node.redirects, step);
  return finish(walkNode(node.command, { ...step, stdin }));
}
