import type { Assignment, Command, Redirection, Word } from 'unbash';
import { parse } from 'unbash';
import { assignForProgram } from '../grammars/powerful-variables.ts';
import { EMPTY, type Text } from '../shell/text.ts';
import { expandFields, expandText } from '../words/expand-word.ts';
import type { WordContext } from '../words/word-context.ts';
import type { Step } from './analysis.ts';
import { redirect } from './redirect.ts';
import { wordContext } from './word-context-of.ts';

const NONE: readonly Text[] = [];

/** Walks a simple command: assignments, words, alias, redirections, program. */
export function walkCommand(command: Command, step: Step): Text {
  const { walk } = step;
  const context = wordContext(step);
  for (const each of command.prefix)
    if (each.type === 'Assignment') assign(each, command.name === undefined, step);
  const { name } = command;
  if (command.prefix.length > 0 || command.redirects.length > 0) step.analysis.onCommand([], false);
  const { stdin, finish } = redirect(command.redirects, step);
  if (name === undefined) return finish(EMPTY);
  const aliased = alias(command, name, { ...step, stdin });
  if (aliased !== undefined) return finish(aliased);
  const words = [...expandFields(name, context)];
  for (const each of command.suffix) words.push(...argument(each, step, context));
  if (words.length === 0) return finish(EMPTY);
  return finish(walk.run(words, stdin));
}

function argument(each: Word | Assignment | Redirection, step: Step, context: WordContext): readonly Text[] {
  if (each.type === 'Word') return expandFields(each, context);
  if (each.type !== 'Assignment') return NONE;
  const value = assignedValue(each, step);
  return [{ text: `${each.name}=${value.text}`, labels: value.labels }];
}

function assignedValue({ value, name }: Assignment, step: Step): Text {
  const context = wordContext(step);
  if (value.type === 'Word') return expandText(value, context);
  const elements = value.elements.flatMap((element) => expandFields(element, context));
  step.walk.state.arrays.set(name, elements);
  return elements[0] ?? EMPTY;
}

function assign(assignment: Assignment, lasting: boolean, step: Step): void {
  const { state } = step.walk;
  const { name, append, index } = assignment;
  const value = assignedValue(assignment, step);
  assignForProgram(step.walk, name, value);
  if (!lasting && name !== 'IFS') return;
  if (assignment.value.type === 'ArrayValue') return;
  const before = state.variables.get(name);
  if (index !== undefined) {
    state.arrays.set(name, [...(state.arrays.get(name) ?? []), value]);
  } else if (append === true && before !== undefined) {
    state.variables.set(name, { text: before.text + value.text, labels: before.labels | value.labels });
  } else state.variables.set(name, value);
}

/** An alias is text that replaces the name; the other words follow it. */
function alias(command: Command, name: Word, step: Step): Text | undefined {
  const { aliases } = step.walk.state;
  if (aliases.size === 0) return undefined;
  const text = name.parts === undefined && name.text === name.value ? aliases.get(name.value) : undefined;
  if (text === undefined) return undefined;
  const rest = command.suffix.flatMap((each) =>
    each.type === 'Word' || each.type === 'Assignment' ? [each.text] : [],
  );
  aliases.delete(name.value);
  const script = parse([text, ...rest].join(' '));
  const output = step.walk.budget.deeper(() => step.analysis.walkStatements(script.commands, step));
  aliases.set(name.value, text);
  return output;
}
