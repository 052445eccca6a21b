import type { ModelPrice } from '@bulkhead/protocol';
import type { ThinkingLevel } from './thinking.ts';

/** The model to use, and its address. Comes from `config.yaml` or `--model` and `--base-url`. */
export interface ModelSettings {
  /** One of `KNOWN_PROVIDERS`. */
  readonly provider: string;
  readonly model: string;
  /**
   * `http(s)://host/path` up to and without the endpoint, for example `http://127.0.0.1:8080/v1`.
   */
  readonly baseUrl?: string;
  /** Tokens; default: the usual size for the provider's models. */
  readonly contextWindow?: number;
  /** Name of the variable or secret that holds the key, instead of the provider's usual one. */
  readonly apiKeyEnv?: string;
  /**
   * How much the model should think; not set: its default. A model without thinking still receives
   * the level, and its provider may refuse; one that can't stop thinking does the minimum.
   */
  readonly thinking?: ThinkingLevel;
  /** Replaces the known price, or sets a missing one. */
  readonly price?: ModelPrice;
}

/** The sources of keys. This package never reads the process's own environment. */
export interface KeySources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A stored secret by the name of its variable, for example `ANTHROPIC_API_KEY`. */
  readonly secret: (name: string) => string | undefined;
}

/** Requirement E6. All in milliseconds. */
export interface ModelTimeLimits {
  /** From the request to the answer's first part. Default 60,000. */
  readonly firstTokenMs: number;
  /** Between two parts of the answer. Default 60,000. Time without a reader doesn't count. */
  readonly idleMs: number;
  /** From the request to the end of the answer. Default 1,800,000. */
  readonly totalMs: number;
}

export const DEFAULT_TIME_LIMITS: ModelTimeLimits = {
  firstTokenMs: 60_000,
  idleMs: 60_000,
  totalMs: 1_800_000,
};
