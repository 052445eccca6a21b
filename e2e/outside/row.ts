import type { TaskModel } from './task-model.ts';
import type { WorldOptions } from './world.ts';

/** Result of one row of the table. */
interface RowResult {
  /** Broken promises; none means that the row holds. */
  readonly violations: readonly string[];
  /** Counts and measurements, for the reader. */
  readonly figures: Readonly<Record<string, number | string>>;
}

/** Arguments of a row. */
export interface RowContext {
  /** The `bulkhead` command of the build under test. */
  readonly command: string;
  readonly model: TaskModel;
  /** 1 is the share of `npm test`; more repeats more. */
  readonly scale: number;
  say(text: string): void;
}

/** One kind of fault, tried from outside. */
export interface Row {
  readonly id: string;
  readonly fault: string;
  /** Why this machine can't try it; undefined if it can. */
  problem?(): string | undefined;
  run(context: RowContext): Promise<RowResult>;
}

export function optionsOf({ command, model }: RowContext): WorldOptions {
  return { command, model: model.url };
}
