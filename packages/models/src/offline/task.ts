import type { ToolOutcome } from './run-view.ts';

/** A tool call the offline model wants to make. */
export interface ToolWish {
  readonly tool: string;
  readonly args: Readonly<Record<string, string | number>>;
  /** What it says before the call. */
  readonly say: string;
}

/** How one wish of a request ended: a paragraph of the answer, and whether the next wish may follow. */
export interface TaskEnd {
  readonly text: string;
  readonly ok: boolean;
}

/**
 * The work for one wish: yields calls, is given their outcomes. It must depend on nothing else, since it
 * is run from its beginning in every round.
 */
export type Task = Generator<ToolWish, TaskEnd, ToolOutcome>;

/** What a request has spoken of so far: what "it" and "here" mean. */
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
