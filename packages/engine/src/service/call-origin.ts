import {
  BulkheadError,
  type CallOrigin,
  CHANNEL_HEADER,
  ORIGIN_HEADER,
  OWNER_ID,
  SOCKET_CHANNELS,
  UNNAMED_CLIENT,
} from '@bulkhead/protocol';
import * as z from 'zod';

/** Finds out where a call comes from. */
export type OriginOf = (headers: Headers) => CallOrigin;

/** Longest name of a chat, in characters: it is in every record of an action. */
const MOST_CHAT = 256;

const sender = z.strictObject({ id: z.string().min(1), name: z.string().optional() });
const passedOn = z.strictObject({
  channel: z.string().min(1),
  chat: z.string().max(MOST_CHAT).optional(),
  sender,
});

/**
 * The token of the socket proves the owner. The client names itself, and only as a client of the
 * socket: any other name, such as that of another door, counts as none.
 */
export const socketOrigin: OriginOf = (headers) => {
  const named = headers.get(CHANNEL_HEADER);
  const channel = SOCKET_CHANNELS.find((name) => name === named) ?? UNNAMED_CLIENT;
  return { channel, sender: { id: OWNER_ID } };
};

/** The HTTP door, in this process, passes on what it has proved. */
export const doorOrigin: OriginOf = (headers) => {
  const text = headers.get(ORIGIN_HEADER);
  if (text === null) throw new BulkheadError('internal', 'the HTTP door has named no origin of this call');
  const { channel, chat, sender } = passedOn.parse(JSON.parse(decodeURIComponent(text)));
  const { id, name } = sender;
  return {
    channel,
    ...(chat === undefined ? {} : { chat }),
    sender: { id, ...(name === undefined ? {} : { name }) },
  };
};
