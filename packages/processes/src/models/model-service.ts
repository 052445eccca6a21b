import type { Config, ModelRole } from '@bulkhead/home/config/config-schema';
import {
  createModelClient,
  describeProvider,
  type KeySources,
  KNOWN_PROVIDERS,
  type ProviderDescription,
} from '@bulkhead/models';
import { BulkheadError } from '@bulkhead/protocol';
import { usualOllama } from './ask-ollama.ts';
import { type ListedModel, listModels } from './list-models.ts';
import { chatRole, settingsOf } from './model-choice.ts';
import { ollamaModels } from './ollama-models.ts';

/** Longest wait of a list of models for an Ollama, milliseconds. */
const OLLAMA_MS = 1_000;

/** A role and its model. */
export interface RoleRow {
  readonly role: 'chat' | 'fallback' | 'title' | 'compaction' | 'shield' | 'embedding' | 'subagent';
  /** `provider/model`; empty for none. */
  readonly model: string;
  readonly because: string;
  readonly problem: BulkheadError | undefined;
}

export interface ModelReport {
  readonly roles: readonly RoleRow[];
  /** Settings of a model that is chosen by its name, for each provider. */
  readonly providers: readonly ProviderDescription[];
  readonly models: readonly ListedModel[];
}

/** Lists the models, which of them can be used, and the model of each role. Keys stay inside. */
export class ModelService {
  readonly #parts: ModelServiceParts;

  constructor(parts: ModelServiceParts) {
    this.#parts = parts;
  }

  async list(): Promise<ModelReport> {
    const { models, used } = this.#parts;
    const chat = this.#parts.chat();
    const ollama = await this.#ollama();
    const providers = KNOWN_PROVIDERS.map((name) => this.#provider(name, ollama));
    const configured = [chat, ...models.fallback, ...SIDE_ROLES.flatMap((name) => models[name] ?? [])];
    return {
      roles: this.#roles(chat),
      providers,
      models: listModels({ providers, configured, local: ollama.names ?? [], used: used() }),
    };
  }

  #roles(chat: ModelRole): readonly RoleRow[] {
    const { models } = this.#parts;
    const why = models.chat === undefined ? reasonOf(chat) : CONFIGURED;
    const side = SIDE_ROLES.map((role): RoleRow => {
      const own = models[role];
      if (own !== undefined) return this.#role(role, own, CONFIGURED);
      return role === 'shield'
        ? { role, model: '', because: 'none: a person is asked', problem: undefined }
        : this.#role(role, chat, 'the chat model');
    });
    const { embedding } = models;
    const vectors: RoleRow = {
      role: 'embedding',
      model: embedding === undefined ? '' : nameOf(embedding),
      because: embedding === undefined ? 'none: memory is searched by words' : CONFIGURED,
      problem: embedding && describeProvider(settingsOf(embedding), this.#parts.keys).problem,
    };
    return [
      this.#role('chat', chat, why),
      ...models.fallback.map((role) => this.#role('fallback', role, CONFIGURED)),
      ...side,
      vectors,
    ];
  }

  #role(role: RoleRow['role'], model: ModelRole, because: string): RoleRow {
    return { role, model: nameOf(model), because, problem: this.#problemOf(model) };
  }

  #problemOf(role: ModelRole): BulkheadError | undefined {
    try {
      createModelClient(settingsOf(role), this.#parts.keys);
      return undefined;
    } catch (error) {
      return BulkheadError.from(error);
    }
  }

  #byName(provider: string): ModelRole {
    const { models, keys } = this.#parts;
    return chatRole({ configured: models.chat, keys }, { model: `${provider}/any`, baseUrl: '' });
  }

  #provider(name: string, ollama: OllamaAnswer): ProviderDescription {
    const described = describeProvider(settingsOf(this.#byName(name)), this.#parts.keys);
    if (name !== 'ollama' || ollama.names !== undefined || described.problem !== undefined) return described;
    return { ...described, problem: noOllama(ollama.address) };
  }

  async #ollama(): Promise<OllamaAnswer> {
    const { keys, request } = this.#parts;
    const address = this.#byName('ollama').baseUrl ?? usualOllama(keys.environment);
    if (address === undefined) return { address, names: undefined };
    return { address, names: await ollamaModels(address.replace(/\/+$/, ''), request, OLLAMA_MS) };
  }
}

const CONFIGURED = 'set in config.yaml';
const SIDE_ROLES = ['title', 'compaction', 'shield', 'subagent'] as const;

interface OllamaAnswer {
  /** The queried address; undefined for none. */
  readonly address: string | undefined;
  readonly names: readonly string[] | undefined;
}

function nameOf({ provider, model }: ModelRole): string {
  return `${provider}/${model}`;
}

/** Why this model answers although none is configured. */
function reasonOf({ provider }: ModelRole): string {
  if (provider === 'offline') return 'no key and no Ollama: it answers by rules';
  return provider === 'ollama' ? 'an Ollama on this machine has it' : `there is a key for ${provider}`;
}

function noOllama(address: string | undefined): BulkheadError {
  const message =
    address === undefined ? 'OLLAMA_HOST says that Ollama is elsewhere' : `no Ollama answers at ${address}`;
  const fix =
    address === undefined
      ? 'Set models.chat.provider to ollama and models.chat.baseUrl to its address.'
      : 'Start it with `ollama serve`, or leave it: it is needed only for models on this machine.';
  return new BulkheadError('not_available', message, { fix });
}

export interface ModelServiceParts {
  readonly models: Config['models'];
  readonly keys: KeySources;
  readonly request: typeof fetch;
  /** The model of conversations, configured or found. */
  chat(): ModelRole;
  /** Models that answered before, as `provider/model`. */
  used(): readonly string[];
}
