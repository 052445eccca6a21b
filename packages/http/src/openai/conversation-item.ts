import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ImageSchema } from '@bulkhead/protocol/chat';

export type ImageInit = MessageInitShape<typeof ImageSchema>;

/** A call as a request tells of it, by the name that its program has for the tool. */
export interface ToldCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

/** What somebody said, whichever of the APIs tells it. */
export type ConversationItem =
  | { readonly kind: 'instructions'; readonly text: string }
  | { readonly kind: 'user'; readonly text: string; readonly images: readonly ImageInit[] }
  | { readonly kind: 'assistant'; readonly text: string; readonly calls: readonly ToldCall[] }
  | ToldResult;

/** What a call of a client tool gave. */
export interface ToldResult {
  readonly kind: 'result';
  readonly id: string;
  readonly text: string;
}
