import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ImageSchema } from '@bulkhead/protocol/chat';

export type ImageInit = MessageInitShape<typeof ImageSchema>;

/** A tool call in a request, with the program's name for the tool. */
export interface ToldCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

/** A message of a conversation, the same for both APIs. */
export type ConversationItem =
  | { readonly kind: 'instructions'; readonly text: string }
  | { readonly kind: 'user'; readonly text: string; readonly images: readonly ImageInit[] }
  | { readonly kind: 'assistant'; readonly text: string; readonly calls: readonly ToldCall[] }
  | ToldResult;

/** The result of a client tool call. */
export interface ToldResult {
  readonly kind: 'result';
  readonly id: string;
  readonly text: string;
}
