import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ClientToolSchema } from '@bulkhead/protocol/client';
import type { ConversationItem } from './conversation-item.ts';

export type ClientToolInit = MessageInitShape<typeof ClientToolSchema>;

/** What a request asks for, whichever of the APIs it speaks. */
export interface Asked {
  /** As the request names it. */
  readonly model: string;
  readonly items: readonly ConversationItem[];
  readonly tools: readonly ClientToolInit[];
  /** One call in each answer. */
  readonly oneCall: boolean;
  readonly stream: boolean;
  /** Name of the session; undefined for one of its own. */
  readonly user: string | undefined;
  /** Answer that it goes on from. */
  readonly previous: string | undefined;
  /** Whether a later request may go on from its answer. */
  readonly store: boolean;
  /** Where its messages stand. */
  readonly param: string;
  /** Parameters that make no difference. */
  readonly ignored: readonly string[];
}
