import type { ToolOutcome } from './run-view.ts';

/** A tool call the offline model wants to make. */
export interface ToolWish {
  readonly tool: string;
  readonly args: Readonly<Record<string, string | number>>;
  /** Its text before the call. */
  readonly say: string;
}

/**
 * The outcome of one request: a paragraph of the answer, and whether the next request may follow.
 */
export interface TaskEnd {
  readonly text: string;
  readonly ok: boolean;
}

/**
 * The work for one request: yields calls and receives their outcomes. It must depend on nothing
 * else, because every round runs it from its start.
 */
export type Task = Generator<ToolWish, TaskEnd, ToolOutcome>;

/** The subjects of a request so far: the meaning of "it" and "here". */
export interface Talk {
  file: string | undefined;
  folder: string;
}

export function done(text: string): TaskEnd {
  return { text, ok: true };
}

export function failed(doing: string, outcome: ToolOutcome): TaskEnd {
  return { text: `I could not ${doing}: ${outcome.text.trim() || 'no reason was given'}`, ok: false };
}

export const WHICH_FILE: TaskEnd = { text: "I don't know which file you mean: please name it.", ok: false };
