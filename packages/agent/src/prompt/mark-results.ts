import { create } from '@bufbuild/protobuf';
import { UNTRUSTED_INPUT } from '@bulkhead/protocol';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';
import { marked } from './marks.ts';

/**
 * Shows a model the results of tools as data [C6]. Only the view is marked: the log keeps what the tool said. The engine's own words
 * (what was loaded) are told by the field that only the engine sets, never by a name that a file could hold as well; what they
 * quote of others is marked by whoever writes them: a pinned skill is guidance, another one is not.
 */
export class ResultMarks {
  /** Results don't change while a run goes on: each is looked through once. */
  readonly #seen = new WeakMap<Message, Message>();

  view(messages: readonly Message[]): Message[] {
    return messages.map((message) => {
      if (message.role.case !== 'tool' || message.role.value.ownWords) return message;
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
