import type { ModelPrice } from '@bulkhead/protocol';
import type { ThinkingLevel } from './thinking.ts';

/** Which model to use and where it lives. Comes from `config.yaml` or `--model` and `--base-url`. */
export interface ModelSettings {
  /** One of `KNOWN_PROVIDERS`. */
  readonly provider: string;
  readonly model: string;
  /** `http(s)://host/path` up to and without the endpoint, for example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl?: string;
  /** Tokens; default: what the provider's models usually have. */
  readonly contextWindow?: number;
  /** Name of the variable or secret that holds the key, instead of the provider's usual one. */
  readonly apiKeyEnv?: string;
  /**
   * How much the model shall think; not set: as it does by itself. A model that can't think is still told to, and its
   * provider may refuse; one that can't stop does as little as it can.
   */
  readonly thinking?: ThinkingLevel;
  /** Instead of the price that is known, or where none is. */
  readonly price?: ModelPrice;
}

/** Where keys come from. Nothing in this package reads the process's own environment. */
export interface KeySources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A stored secret by the name of its variable, for example `ANTHROPIC_API_KEY`. */
  readonly secret: (name: string) => string | undefined;
}

/** Requirement E6. All in milliseconds. */
export interface ModelTimeLimits {
  /** From the request to the first part of the answer. Default 60,000. */
  readonly firstTokenMs: number;
  /** Between two parts of the answer. Default 60,000. Time in which nobody reads the stream doesn't count. */
  readonly idleMs: number;
  /** From the request to the end of the answer. Default 1,800,000. */
  readonly totalMs: number;
}

export const DEFAULT_TIME_LIMITS: ModelTimeLimits = {
  firstTokenMs: 60_000,
  idleMs: 60_000,
  totalMs: 1_800_000,
};
