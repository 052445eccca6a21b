import { createHash } from 'node:crypto';
import { toBinary } from '@bufbuild/protobuf';
import {
  buildSystemPrompt,
  buildTurnPart,
  loadToolsDefinition,
  modelView,
  promptFacts,
  ResultMarks,
  restoredSkills,
  skillTools,
} from '@bulkhead/agent';
import type { ModelCall } from '@bulkhead/protocol';
import type { SkillText, ToolGroup } from '@bulkhead/protocol/agent';
import {
  type Message,
  MessageSchema,
  type ToolDefinition,
  ToolDefinitionSchema,
} from '@bulkhead/protocol/chat';
import type { Told } from './mind.ts';

/** The text of a model request: all that a model is shown. */
export type RequestText = Required<Pick<ModelCall, 'system' | 'messages' | 'tools' | 'tail'>>;

/**
 * Builds the model requests of a run from the engine's own data: system part, tools, messages, turn part. The same
 * facts give the same bytes, so a run that goes on in another agent keeps its prefix [C5].
 */
export class RequestBuilder {
  readonly #system: string;
  readonly #tail: string;
  readonly #metaTools: readonly ToolDefinition[];
  readonly #restored: readonly Message[];
  readonly #window: number;
  readonly #marks = new ResultMarks();
  /** Digests of messages that stay as they are: a long conversation is hashed once. */
  readonly #digests = new WeakMap<Message, Uint8Array>();

  /**
   * @param facts.skills that were loaded before and stand in the conversation no more
   * @param facts.contextWindow tokens; 0 if it isn't known
   */
  constructor(
    { prompt, turn }: Told,
    facts: {
      readonly groups: readonly ToolGroup[];
      readonly skills: readonly SkillText[];
      readonly contextWindow: number;
    },
  ) {
    this.#system = buildSystemPrompt(promptFacts(prompt, facts.groups));
    this.#tail = buildTurnPart(turn);
    this.#metaTools = [loadToolsDefinition(facts.groups), ...skillTools(prompt, facts.skills)];
    this.#restored = restoredSkills(facts.skills);
    this.#window = facts.contextWindow;
  }

  /**
   * @param messages the conversation, in order
   * @param loaded definitions of all tools that are loaded, in the order they came
   * @param note at its end, for the model alone
   */
  build(messages: readonly Message[], loaded: readonly ToolDefinition[], note?: string): RequestText {
    const names = new Set(this.#metaTools.map(({ name }) => name));
    return {
      system: this.#system,
      messages: this.#marks.view(modelView([...this.#restored, ...messages], note, this.#window)),
      tools: [...this.#metaTools, ...loaded.filter(({ name }) => !names.has(name))],
      tail: this.#tail,
    };
  }

  /** SHA-256 in hex over every byte of a request's text, for the record of what was sent. */
  digestOf({ system, messages, tools, tail }: RequestText): string {
    const hash = createHash('sha256');
    const add = (bytes: Uint8Array): void => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      hash.update(length).update(bytes);
    };
    add(Buffer.from(system));
    for (const tool of tools) add(toBinary(ToolDefinitionSchema, tool));
    for (const message of messages) hash.update(this.#digestOfMessage(message));
    add(Buffer.from(tail));
    return hash.digest('hex');
  }

  #digestOfMessage(message: Message): Uint8Array {
    const known = this.#digests.get(message);
    if (known !== undefined) return known;
    const digest = createHash('sha256').update(toBinary(MessageSchema, message)).digest();
    this.#digests.set(message, digest);
    return digest;
  }
}
