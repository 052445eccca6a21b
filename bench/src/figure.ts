import type { BareClient } from './bare-client.ts';
import type { ModelServer } from './model-server-process.ts';
import type { Product } from './product.ts';

/** The parts that a figure measures with. */
export interface Setting {
  readonly server: ModelServer;
  readonly bare: BareClient;
  /**
   * The built product on a new home; no engine runs yet.
   * @param config lines for `config.yaml`
   */
  product(...config: readonly string[]): Promise<Product>;
  /** The same, with `STORED_SESSIONS` in its database. */
  stockedProduct(...config: readonly string[]): Promise<Product>;
  /** Ends what is being measured. */
  readonly signal: AbortSignal;
}

/** A target of architecture.md. Lower is better everywhere. */
export interface Target {
  readonly text: string;
  readonly limit: number;
  /** The value compared with the limit: in the unit of `text`. */
  readonly value: number;
}

/** One line of the result. Values are rendered, for each has its own unit. */
export interface Row {
  readonly what: string;
  readonly product: string;
  readonly bare: string;
  readonly ratio: string;
  readonly target?: Target;
}

export interface Figure {
  /** For `--only`. */
  readonly name: string;
  measure(setting: Setting): Promise<readonly Row[]>;
}
