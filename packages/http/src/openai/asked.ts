import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ClientToolSchema } from '@bulkhead/protocol/client';
import type { ConversationItem } from './conversation-item.ts';

export type ClientToolInit = MessageInitShape<typeof ClientToolSchema>;

/** The content of a request, the same for both APIs. */
export interface Asked {
  /** Name in the request. */
  readonly model: string;
  readonly items: readonly ConversationItem[];
  readonly tools: readonly ClientToolInit[];
  /** Report one tool call in each answer. */
  readonly oneCall: boolean;
  readonly stream: boolean;
  /** Texts that end the answer; empty for none. */
  readonly stop: readonly string[];
  /** Name of the session; undefined for a new session of this request alone. */
  readonly user: string | undefined;
  /** The answer that it continues. */
  readonly previous: string | undefined;
  /** Whether a later request may continue its answer. */
  readonly store: boolean;
  /** Parameter that holds the messages. */
  readonly param: string;
  /** Parameters without effect. */
  readonly ignored: readonly string[];
}
