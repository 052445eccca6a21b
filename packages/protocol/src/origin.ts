/** Sender id of the owner of this home, on every channel. No program may have this name. */
export const OWNER_ID = 'owner';

/** A client of this home that does not name itself. */
export const UNNAMED_CLIENT = 'client';

/** Names that a client of the engine's socket may give itself. */
export const SOCKET_CHANNELS = ['cli', 'tui', 'acp', 'sdk'] as const;
export type SocketChannel = (typeof SOCKET_CHANNELS)[number];

/** Channels of the clients that Bulkhead brings: each of their callers has proved a token or login. */
export const CLIENT_CHANNELS: ReadonlySet<string> = new Set([
  ...SOCKET_CHANNELS,
  'web',
  'api',
  UNNAMED_CLIENT,
]);

export interface Sender {
  /** `owner`, or a stable id on the channel. */
  readonly id: string;
  /** For people. Foreign text: make it harmless before showing it. */
  readonly name?: string;
}

/** The door of a call and who makes it: what its connection proved, never a claim of the message. */
export interface CallOrigin {
  /** `cli`, `tui`, `web`, `api`, `acp`, `sdk`, `client`, or the name of a chat channel. */
  readonly channel: string;
  /** The conversation on that channel, where it has several. */
  readonly chat?: string;
  readonly sender: Sender;
}

/** The origin of an accepted message. */
export interface Origin extends CallOrigin {
  /** Name of the profile that answers it. */
  readonly profile: string;
}

/** Header in which a client of the socket names itself: a `SocketChannel`. */
export const CHANNEL_HEADER = 'bulkhead-channel';

/** Header of a call within the engine's process, by which the HTTP door passes on its origin. */
export const ORIGIN_HEADER = 'bulkhead-origin';

export function originHeader(origin: CallOrigin): string {
  return encodeURIComponent(JSON.stringify(origin));
}

/**
 * Names the sender of a message to a person who uses another channel: `web`, `api, Anna (tg-7)`.
 * Foreign text: make it harmless before showing it.
 *
 * @param here channel of that person
 * @returns empty for their own message: the owner's, of the same channel
 */
export function otherOrigin({ channel, sender }: CallOrigin, here: string): string {
  if (sender.id === OWNER_ID) return channel === here ? '' : channel;
  return `${channel}, ${sender.name ? `${sender.name} (${sender.id})` : sender.id}`;
}
