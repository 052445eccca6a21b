import type { ShellState } from './shell-state.ts';
import { type Text, unknownText } from './text.ts';

/** Calls of a function within itself that are walked with their own arguments. */
const FOLLOWED = 3;

interface FunctionCall {
  readonly body: unknown;
  readonly conditions: number;
  readonly beside: number;
  readonly folder: ShellState['folder'];
  readonly variables: ReadonlyMap<string, Text>;
  /** True once it may have returned before its end. */
  returns: boolean;
}

/** How a call of a function within itself is walked. */
export type Recursion =
  /** As any call, until the budget ends. */
  | 'followed'
  /** With arguments and changed variables that may be anything: this covers all further calls. */
  | 'anything'
  /** Not at all: a call that was walked with anything covers it. */
  | 'covered';

/**
 * The functions that are being walked. A function that calls itself only under a condition, and not
 * beside itself, ends; so its deeper calls need not be walked one by one. Without a condition, in
 * the background or in a pipe with itself, or from another folder, the budget of the analysis ends
 * it.
 */
export class FunctionCalls {
  readonly #calls: FunctionCall[] = [];
  #conditions = 0;
  #beside = 0;

  /** Runs a part that may not run. */
  conditional<Result>(run: () => Result): Result {
    this.#conditions += 1;
    try {
      return run();
    } finally {
      this.#conditions -= 1;
    }
  }

  /** Runs a part that runs at the same time as others. */
  concurrent<Result>(run: () => Result): Result {
    this.#beside += 1;
    try {
      return run();
    } finally {
      this.#beside -= 1;
    }
  }

  /** A `return` or `exit` was met. */
  leave(): void {
    const call = this.#calls.at(-1);
    if (call !== undefined && this.#conditions > call.conditions) call.returns = true;
  }

  recursion(body: unknown, { folder }: ShellState): Recursion {
    const calls = this.#calls.filter((call) => call.body === body);
    const [first] = calls;
    const last = calls.at(-1);
    if (first === undefined || last === undefined || calls.length < FOLLOWED) return 'followed';
    const ends = this.#conditions > last.conditions || last.returns;
    if (!ends || this.#beside > first.beside || first.folder !== folder) return 'followed';
    return calls.length === FOLLOWED ? 'anything' : 'covered';
  }

  /** Makes every variable unknown that has changed since the outermost call of a function. */
  forget(body: unknown, { variables }: ShellState): void {
    const first = this.#calls.find((call) => call.body === body);
    for (const [name, { text, labels }] of variables) {
      if (first?.variables.get(name)?.text !== text) variables.set(name, unknownText(labels));
    }
  }

  /** Walks the body of a function. */
  within<Result>(body: unknown, { folder, variables }: ShellState, run: () => Result): Result {
    this.#calls.push({
      body,
      conditions: this.#conditions,
      beside: this.#beside,
      folder,
      variables: new Map(variables),
      returns: false,
    });
    try {
      return run();
    } finally {
      this.#calls.pop();
    }
  }
}
