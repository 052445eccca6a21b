import { create } from '@bufbuild/protobuf';
import type { ModelCall } from '@bulkhead/protocol';
import {
  type AssistantMessage,
  AssistantMessageSchema,
  type AssistantPart,
  AssistantPartSchema,
  type Message,
  StopReason,
} from '@bulkhead/protocol/chat';
import type { SeededRandom } from '@bulkhead/testkit/simulation';

export interface SeededAnswer {
  readonly message: AssistantMessage;
  readonly stopReason: StopReason;
}

/** A model's answers, by weight. Most are valid. */
const KINDS = {
  text: 46,
  'one call': 22,
  'several calls': 14,
  'the same call again': 6,
  'cut off': 4,
  empty: 2,
  'calls of one id': 2,
  'a call without an id': 1,
  'an unknown tool': 2,
  'arguments that are no JSON': 2,
  withheld: 1,
} as const;

const TOOLS = { look: 4, put: 3, add: 2, send: 3 } as const;

/**
 * A model's answers, chosen by a seed. Every tool call carries a token that is unique to its
 * request.
 */
export class ModelAnswers {
  readonly #random: SeededRandom;
  #tokens = 0;
  /** How often the model requested the action of a token. */
  readonly asked = new Map<string, number>();
  /** Messages of people that a model saw and answered. */
  readonly shown = new Set<string>();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  answer(call: ModelCall): SeededAnswer {
    for (const { role } of call.messages) {
      // A summary carries the words of the run it was made in.
      if (role.case !== 'user') continue;
      for (const [, id = ''] of role.value.text.matchAll(/about (m\d+\.\d+)/g)) this.shown.add(id);
    }
    if (call.forbidTools || call.tools.length === 0) return said([this.#text()], StopReason.STOP);
    const kind = this.#random.weighted(KINDS);
    const before = this.#random.chance(0.3) ? [this.#text()] : [];
    switch (kind) {
      case 'text':
        return said([this.#thinking(), this.#text()], StopReason.STOP);
      case 'one call':
        return said([...before, this.#call()], StopReason.TOOL_CALLS);
      case 'several calls':
        return said([...before, this.#call(), this.#call(), this.#call()], StopReason.TOOL_CALLS);
      case 'the same call again':
        return said([...before, this.#again(call.messages) ?? this.#text()], StopReason.TOOL_CALLS);
      case 'cut off':
        return said([this.#text()], StopReason.LENGTH);
      case 'empty':
        return said([], StopReason.STOP);
      case 'calls of one id':
        return said([this.#call('same'), this.#call('same')], StopReason.TOOL_CALLS);
      case 'a call without an id':
        return said([this.#call('')], StopReason.TOOL_CALLS);
      case 'an unknown tool':
        return said(
          [part('toolCall', { callId: 'u1', name: 'fly', argumentsJson: '{}' })],
          StopReason.TOOL_CALLS,
        );
      case 'arguments that are no JSON':
        return said(
          [part('toolCall', { callId: 'u2', name: 'put', argumentsJson: '{"pa' })],
          StopReason.LENGTH,
        );
      case 'withheld':
        return said([this.#text()], StopReason.CONTENT_FILTER);
    }
  }

  #text(): AssistantPart {
    return part('text', { text: `words ${this.#random.below(1_000)}` });
  }

  #thinking(): AssistantPart {
    return part('thinking', { text: 'hm' });
  }

  #call(callId?: string): AssistantPart {
    this.#tokens += 1;
    const token = `t${this.#tokens}`;
    this.asked.set(token, 1);
    const path = this.#random.pick(['a.txt', 'b.txt', 'c.txt']);
    const name = this.#random.weighted(TOOLS);
    // Providers give ids anew in every answer; some begin from 1 each time.
    const id = callId ?? (this.#random.chance(0.1) ? `r${this.#tokens % 4}` : `c${this.#tokens}`);
    return part('toolCall', { callId: id, name, argumentsJson: JSON.stringify({ path, token }) });
  }

  /** Repeats an earlier call as a new one: models do that when the outcome is unknown. */
  #again(messages: readonly Message[]): AssistantPart | undefined {
    const calls = messages.flatMap(({ role }) =>
      role.case === 'assistant'
        ? role.value.parts.flatMap(({ part }) => (part.case === 'toolCall' ? [part.value] : []))
        : [],
    );
    const known = calls.filter(({ argumentsJson }) => argumentsJson.includes('token'));
    if (known.length === 0) return undefined;
    const { name, argumentsJson } = this.#random.pick(known);
    const token = /"(t\d+)"/.exec(argumentsJson)?.[1] ?? '';
    this.asked.set(token, (this.asked.get(token) ?? 0) + 1);
    this.#tokens += 1;
    return part('toolCall', { callId: `again${this.#tokens}`, name, argumentsJson });
  }
}

function said(parts: AssistantPart[], stopReason: StopReason): SeededAnswer {
  return { message: create(AssistantMessageSchema, { parts }), stopReason };
}

function part(name: 'text' | 'thinking', value: { readonly text: string }): AssistantPart;
function part(
  name: 'toolCall',
  value: { readonly callId: string; readonly name: string; readonly argumentsJson: string },
): AssistantPart;
function part(name: string, value: object): AssistantPart {
  return create(AssistantPartSchema, { part: { case: name, value } as AssistantPart['part'] });
}
