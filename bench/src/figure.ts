import type { BareClient } from './bare-client.ts';
import type { ModelServer } from './model-server-process.ts';
import type { Product } from './product.ts';

/** What a figure measures with. */
export interface Setting {
  readonly server: ModelServer;
  readonly bare: BareClient;
  /** A copy of the built product with a home of its own; its engine may or may not run. */
  readonly product: Product;
  /** Says what is going on, one line. */
  say(text: string): void;
}

/** How near a value is to what architecture.md wants. Lower is better everywhere. */
export interface Target {
  readonly text: string;
  readonly limit: number;
  /** What is compared with the limit, in the words of `text`: a ratio, microseconds, … */
  readonly value: number;
}

/** One line of the result. Values are rendered, for each has its own unit and spread. */
export interface Row {
  readonly what: string;
  readonly product: string;
  readonly bare: string;
  readonly ratio: string;
  readonly target: Target | undefined;
}

export interface Figure {
  /** For `--only`. */
  readonly name: string;
  measure(setting: Setting): Promise<readonly Row[]>;
}
