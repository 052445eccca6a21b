import type { JSONObject, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { create } from '@bufbuild/protobuf';
import {
  type AssistantMessage,
  AssistantMessageSchema,
  type AssistantPart,
  AssistantPartSchema,
  type ToolCall,
  ToolCallSchema,
} from '@bulkhead/protocol/chat';

interface OpenBlock {
  readonly kind: 'text' | 'thinking';
  readonly pieces: string[];
  metadata: JSONObject | undefined;
}

interface CollectedCall {
  readonly kind: 'call';
  readonly value: ToolCall;
  readonly providerJson: string;
  /** No byte of its arguments arrived. */
  readonly bare: boolean;
}

type Collected = OpenBlock | CollectedCall;

/**
 * Collects the parts of a provider's stream into the whole answer, in the order the parts began.
 */
export class AnswerBuilder {
  readonly #metadataKey: string;
  readonly #model: string;
  readonly #usedCallIds: Set<string>;
  readonly #collected: Collected[] = [];
  readonly #open = new Map<string, OpenBlock>();
  /** Arguments of calls that have begun and are not complete. */
  readonly #inputs = new Map<string, { readonly name: string; readonly pieces: string[] }>();

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
      case 'tool-input-start':
        this.#inputs.set(part.id, { name: part.toolName, pieces: [] });
        break;
      case 'tool-input-delta':
        this.#inputs.get(part.id)?.pieces.push(part.delta);
        break;
      case 'tool-call':
        this.#addCall(part, this.#inputs.get(part.toolCallId)?.pieces);
        this.#inputs.delete(part.toolCallId);
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

  /**
   * For an answer that the output limit ended: keeps a call that the provider's package dropped,
   * with the arguments that arrived. Arguments of which nothing arrived are not an empty object.
   */
  endCut(): void {
    for (const [toolCallId, { name, pieces }] of this.#inputs) {
      this.#addCall({ type: 'tool-call', toolCallId, toolName: name, input: pieces.join('') }, pieces);
    }
    this.#inputs.clear();
    const last = this.#collected.at(-1);
    if (last?.kind === 'call' && last.bare) last.value.argumentsJson = '';
  }

  build(): AssistantMessage {
    const parts = this.#collected.flatMap((entry) =>
      entry.kind === 'call' ? [callPart(entry)] : this.#blockPart(entry),
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

  #addCall(
    part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>,
    pieces: readonly string[] = [part.input],
  ): void {
    const value = create(ToolCallSchema, {
      callId: this.#uniqueId(part.toolCallId),
      name: part.toolName,
      argumentsJson: part.input === '' ? '{}' : part.input,
    });
    const metadata = part.providerMetadata?.[this.#metadataKey] ?? {};
    const providerJson = Object.keys(metadata).length === 0 ? '' : this.#providerJson(metadata);
    const bare = pieces.every((piece) => piece === '');
    this.#collected.push({ kind: 'call', value, providerJson, bare });
  }

  #uniqueId(wished: string): string {
    let id = wished === '' ? 'call' : wished;
    for (let count = 2; this.#usedCallIds.has(id); count += 1) id = `${wished || 'call'}-${count}`;
    this.#usedCallIds.add(id);
    return id;
  }
}

function callPart({ value, providerJson }: CollectedCall): AssistantPart {
  return create(AssistantPartSchema, { part: { case: 'toolCall', value }, providerJson });
}
