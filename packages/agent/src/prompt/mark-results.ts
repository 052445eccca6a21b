import { create } from '@bufbuild/protobuf';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';
import { LOAD_TOOLS } from '../loop/load-tools.ts';
import { marked, UNTRUSTED_INPUT } from './marks.ts';

/**
 * Meta-tools, whose results are the engine's own words. What they quote of others is marked by whoever writes the result: a
 * pinned skill is guidance, another one is not.
 */
const OWN_WORDS: ReadonlySet<string> = new Set([LOAD_TOOLS, 'load_skills']);

/** Shows a model the results of tools as data [C6]. Only the view is marked: the log keeps what the tool said. */
export class ResultMarks {
  /** Results don't change while a run goes on: each is looked through once. */
  readonly #seen = new WeakMap<Message, Message>();

  view(messages: readonly Message[]): Message[] {
    return messages.map((message) => {
      if (message.role.case !== 'tool' || OWN_WORDS.has(message.role.value.name)) return message;
      const known = this.#seen.get(message);
      if (known !== undefined) return known;
      const text = marked(message.role.value.text, UNTRUSTED_INPUT);
      const value = { ...message.role.value, text };
      const view = create(MessageSchema, { role: { case: 'tool', value } });
      this.#seen.set(message, view);
      return view;
    });
  }
}
