import { BulkheadError } from '@bulkhead/protocol';
import type { Glob, GlobPart } from './glob.ts';

/**
 * Remaining steps, shared by all matches of one judgement, so that no policy or action can hang a
 * judge: a match takes at most states × characters steps, and never goes back in the text.
 */
export interface GlobBudget {
  steps: number;
}

export interface GlobInput {
  /** Values of the pattern's variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Characters that `*` and `?` do not match. */
  readonly separators: string;
}

/**
 * True if the whole text matches.
 * @throws BulkheadError `timeout` when the budget is spent, `internal` when a variable has no value
 */
export function matchGlob(glob: Glob, text: string, input: GlobInput, budget: GlobBudget): boolean {
  const simple = matchOnePart(glob, text, input.separators);
  if (simple !== undefined) return simple;
  const variables = input.variables ?? {};
  if (!holdsLiterals(glob, text, variables, budget)) return false;
  const states = glob.parts.flatMap((part) => statesOf(part, variables));
  spend(budget, states.length);
  const separators = new Set(Array.from(input.separators, codePointOf));
  const run: Run = { states, seen: new Uint32Array(states.length + 1), step: 1 };
  let active: number[] = [];
  let next: number[] = [];
  enter(run, 0, active);
  for (let at = 0; at < text.length && active.length > 0; ) {
    spend(budget, active.length + STEPS_PER_CHARACTER);
    const point = text.codePointAt(at) ?? 0;
    at += point > 0xffff ? 2 : 1;
    next.length = 0;
    advance(run, active, point, separators.has(point), next);
    [active, next] = [next, active];
  }
  return active.includes(states.length);
}

/**
 * Most words of commands are held against a single literal or `*`, which need no automaton.
 * @returns undefined for other patterns
 */
function matchOnePart({ parts }: Glob, text: string, separators: string): boolean | undefined {
  const [part, more] = parts;
  if (part === undefined || more !== undefined) return undefined;
  if (part.kind === 'text') return text === part.text;
  return part.kind === 'deep' || (part.kind === 'run' && separators === '') ? true : undefined;
}

/**
 * A matching text holds all literals of the pattern, in order. Most texts don't, and this search is
 * cheap.
 */
function holdsLiterals(
  glob: Glob,
  text: string,
  variables: Readonly<Record<string, string>>,
  budget: GlobBudget,
): boolean {
  let from = 0;
  for (const part of glob.parts) {
    const literal =
      part.kind === 'text' ? part.text : part.kind === 'variable' ? variableText(part.name, variables) : '';
    if (literal === '') continue;
    spend(budget, text.length / CHARACTERS_PER_STEP);
    const at = text.indexOf(literal, from);
    if (at < 0) return false;
    from = at + literal.length;
  }
  return true;
}

/** Takes steps from the budget. @throws BulkheadError `timeout` when it is spent */
export function spend(budget: GlobBudget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw new BulkheadError('timeout', 'the patterns of the policy took too many steps');
}

/** One position in the pattern. The position after the last state is the match. */
interface State {
  /** A code point, or one of the classes below. */
  readonly accepts: number;
  /** Stays active after it accepted a character. */
  readonly loops: boolean;
  /** Distances to states that become active together with it. */
  readonly jumps: readonly number[];
}

/** Cost of a character, besides its states. */
const STEPS_PER_CHARACTER = 3;

/** Characters that a plain search handles in the time of one step. */
const CHARACTERS_PER_STEP = 32;

const ANY = -1;
const NOT_SEPARATOR = -2;
const NOTHING = -3;

interface Run {
  readonly states: readonly State[];
  /** The step at which a state last became active. */
  readonly seen: Uint32Array;
  step: number;
}

/** Fills `next` with the states that are active after one more character. */
function advance(
  run: Run,
  active: readonly number[],
  point: number,
  separator: boolean,
  next: number[],
): void {
  run.step += 1;
  for (const index of active) {
    const state = run.states[index];
    if (state !== undefined && lets(state, point, separator))
      enter(run, state.loops ? index : index + 1, next);
  }
}

function lets({ accepts }: State, point: number, separator: boolean): boolean {
  return accepts === point || accepts === ANY || (accepts === NOT_SEPARATOR && !separator);
}

/** Activates a state and all its jump targets. Jumps only go forward, so this ends. */
function enter(run: Run, index: number, active: number[]): void {
  if (run.seen[index] === run.step) return;
  run.seen[index] = run.step;
  active.push(index);
  for (const jump of run.states[index]?.jumps ?? []) enter(run, index + jump, active);
}

const ONE: State = { accepts: NOT_SEPARATOR, loops: false, jumps: [] };
const RUN: State = { accepts: NOT_SEPARATOR, loops: true, jumps: [1] };
const DEEP: State = { accepts: ANY, loops: true, jumps: [1] };
const SLASH: State = { accepts: codePointOf('/'), loops: false, jumps: [] };
/** Continues with the next state, or after the next two. */
const MAYBE_TWO: State = { accepts: NOTHING, loops: false, jumps: [1, 3] };

function statesOf(part: GlobPart, variables: Readonly<Record<string, string>>): readonly State[] {
  switch (part.kind) {
    case 'text':
      return literal(part.text);
    case 'variable':
      return literal(variableText(part.name, variables));
    case 'one':
      return [ONE];
    case 'run':
      return [RUN];
    case 'deep':
      return [DEEP];
    case 'folders':
      return [MAYBE_TWO, DEEP, SLASH];
    case 'below':
      return [MAYBE_TWO, SLASH, DEEP];
  }
}

function literal(text: string): readonly State[] {
  return Array.from(text, (character) => ({ accepts: codePointOf(character), loops: false, jumps: [] }));
}

function variableText(name: string, variables: Readonly<Record<string, string>>): string {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value === undefined) throw new BulkheadError('internal', `{${name}} of a pattern has no value`);
  return value;
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? NOTHING;
}
