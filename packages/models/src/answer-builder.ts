import type { JSONObject, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { create } from '@bufbuild/protobuf';
import {
  type AssistantMessage,
  AssistantMessageSchema,
  type AssistantPart,
  AssistantPartSchema,
} from '@bulkhead/protocol/chat';

interface OpenBlock {
  readonly kind: 'text' | 'thinking';
  readonly pieces: string[];
  metadata: JSONObject | undefined;
}

type Collected = OpenBlock | { readonly kind: 'call'; readonly part: AssistantPart };

/**
 * Collects the parts of a provider's stream into the whole answer, in the order the parts began.
 */
export class AnswerBuilder {
  readonly #metadataKey: string;
  readonly #model: string;
  readonly #usedCallIds: Set<string>;
  readonly #collected: Collected[] = [];
  readonly #open = new Map<string, OpenBlock>();

  /**
   * @param metadataKey the provider's own key in the metadata of parts
   * @param model source recorded in the answer's parts: only this model gets their data back
   * @param usedCallIds ids of earlier calls of the conversation; a repeated one is made unique, so
   *   that a result can only mean one call
   */
  constructor(metadataKey: string, model: string, usedCallIds: Iterable<string>) {
    this.#metadataKey = metadataKey;
    this.#model = model;
    this.#usedCallIds = new Set(usedCallIds);
  }

  get hasCalls(): boolean {
    return this.#collected.some((entry) => entry.kind === 'call');
  }

  /** Takes one part; ignores parts without content. */
  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
        this.#start('text', part.id, part.providerMetadata);
        break;
      case 'reasoning-start':
        this.#start('thinking', part.id, part.providerMetadata);
        break;
      case 'text-delta':
        this.#append('text', part.id, part.delta, part.providerMetadata);
        break;
      case 'reasoning-delta':
        this.#append('thinking', part.id, part.delta, part.providerMetadata);
        break;
      case 'text-end':
      case 'reasoning-end':
        this.#end(part.id, part.providerMetadata);
        break;
      case 'tool-call':
        this.#addCall(part);
        break;
      default:
        break;
    }
  }

  /** Data about the whole answer: kept with its thinking, which comes first. */
  addMessageMetadata(metadata: SharedV4ProviderMetadata | undefined): void {
    const own = metadata?.[this.#metadataKey];
    if (own === undefined || Object.keys(own).length === 0) return;
    const first = this.#collected.find((entry) => entry.kind === 'thinking');
    if (first?.kind === 'thinking') first.metadata = { ...first.metadata, ...own };
    else this.#collected.unshift({ kind: 'thinking', pieces: [], metadata: own });
  }

  build(): AssistantMessage {
    const parts = this.#collected.flatMap((entry) =>
      entry.kind === 'call' ? [entry.part] : this.#blockPart(entry),
    );
    return create(AssistantMessageSchema, { parts });
  }

  /** Thinking always records its source, because no other model may receive it. */
  #blockPart(block: OpenBlock): AssistantPart[] {
    const text = block.pieces.join('');
    const { metadata = {} } = block;
    const isEmpty = Object.keys(metadata).length === 0;
    if (text === '' && isEmpty) return [];
    const json = isEmpty && block.kind === 'text' ? '' : this.#providerJson(metadata);
    return [create(AssistantPartSchema, { part: { case: block.kind, value: { text } }, providerJson: json })];
  }

  #providerJson(metadata: JSONObject): string {
    return JSON.stringify({ [this.#metadataKey]: metadata, model: this.#model });
  }

  #start(kind: OpenBlock['kind'], id: string, metadata: SharedV4ProviderMetadata | undefined): OpenBlock {
    const block: OpenBlock = { kind, pieces: [], metadata: metadata?.[this.#metadataKey] };
    this.#collected.push(block);
    this.#open.set(id, block);
    return block;
  }

  #append(
    kind: OpenBlock['kind'],
    id: string,
    text: string,
    metadata: SharedV4ProviderMetadata | undefined,
  ): void {
    const block = this.#open.get(id) ?? this.#start(kind, id, undefined);
    block.pieces.push(text);
    if (metadata !== undefined) block.metadata = { ...block.metadata, ...metadata[this.#metadataKey] };
  }

  #end(id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const block = this.#open.get(id);
    if (block !== undefined && metadata !== undefined) {
      block.metadata = { ...block.metadata, ...metadata[this.#metadataKey] };
    }
    this.#open.delete(id);
  }

  #addCall(part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): void {
    const value = {
      callId: this.#uniqueId(part.toolCallId),
      name: part.toolName,
      argumentsJson: part.input === '' ? '{}' : part.input,
    };
    const metadata = part.providerMetadata?.[this.#metadataKey] ?? {};
    const json = Object.keys(metadata).length === 0 ? '' : this.#providerJson(metadata);
    this.#collected.push({
      kind: 'call',
      part: create(AssistantPartSchema, { part: { case: 'toolCall', value }, providerJson: json }),
    });
  }

  #uniqueId(wished: string): string {
    let id = wished === '' ? 'call' : wished;
    for (let count = 2; this.#usedCallIds.has(id); count += 1) id = `${wished || 'call'}-${count}`;
    this.#usedCallIds.add(id);
    return id;
  }
}
