/** The server that a TLS client's first bytes ask for. */
export type ClientHello =
  /** Incomplete so far. */
  | { readonly state: 'more' }
  | { readonly state: 'refused'; readonly why: string }
  /** `serverName` is undefined for a client that names none. */
  | { readonly state: 'complete'; readonly serverName: string | undefined };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
/**
 * Encrypted client hellos (and their predecessors): the visible name may differ from the real one.
 */
const ENCRYPTED: ReadonlySet<number> = new Set([0xfe0d, 0xffce]);
const MAX_RECORD = 16 * 1024;
const MAX_HELLO = 64 * 1024;

/**
 * Reads a ClientHello (RFC 8446, 4.1.2; RFC 6066, 3) from a client's bytes so far, across any
 * record boundaries. Anything else is refused.
 */
export function readClientHello(bytes: Buffer): ClientHello {
  const handshake = handshakeBytes(bytes);
  if (typeof handshake === 'string') return { state: 'refused', why: handshake };
  if (handshake === undefined || handshake.length < 4) return { state: 'more' };
  const length = handshake.readUIntBE(1, 3);
  if (handshake[0] !== CLIENT_HELLO || length > MAX_HELLO) return { state: 'refused', why: NO_HELLO };
  if (handshake.length < 4 + length) return { state: 'more' };
  try {
    return serverNameOf(new Reader(handshake.subarray(4, 4 + length)));
  } catch (error) {
    if (error instanceof RangeError) return { state: 'refused', why: NO_HELLO };
    throw error;
  }
}

const NO_HELLO = 'what was sent is no TLS client hello';

/** The payload of the leading handshake records; a sentence if something else comes first; undefined for nothing yet. */
function handshakeBytes(bytes: Buffer): Buffer | string | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] !== HANDSHAKE) return parts.length === 0 ? NO_HELLO : wholeHello(parts);
    if (at + 5 > bytes.length) break;
    const length = bytes.readUInt16BE(at + 3);
    if (bytes[at + 1] !== 3 || length === 0 || length > MAX_RECORD) return NO_HELLO;
    parts.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
  }
  return parts.length === 0 ? undefined : Buffer.concat(parts);
}

/** Another kind of record may follow the hello (early data), not interrupt it. */
function wholeHello(parts: readonly Buffer[]): Buffer | string {
  const handshake = Buffer.concat(parts);
  return handshake.length >= 4 && handshake.length >= 4 + handshake.readUIntBE(1, 3) ? handshake : NO_HELLO;
}

function serverNameOf(hello: Reader): ClientHello {
  hello.skip(2 + 32);
  hello.skip(hello.number(1));
  hello.skip(hello.number(2));
  hello.skip(hello.number(1));
  const seen = new Set<number>();
  let serverName: string | undefined;
  const extensions = hello.isAtEnd ? hello : hello.part(hello.number(2));
  while (!extensions.isAtEnd) {
    const type = extensions.number(2);
    const value = extensions.part(extensions.number(2));
    if (seen.has(type)) return { state: 'refused', why: 'the TLS client hello says something twice' };
    seen.add(type);
    if (ENCRYPTED.has(type)) return { state: 'refused', why: 'the TLS client hello hides whom it is for' };
    if (type === SERVER_NAME) serverName = hostName(value);
  }
  if (!hello.isAtEnd) return { state: 'refused', why: NO_HELLO };
  return { state: 'complete', serverName };
}

/** @throws RangeError for a list that is not exactly one host name */
function hostName(value: Reader): string {
  const list = value.part(value.number(2));
  if (list.number(1) !== HOST_NAME) throw new RangeError('no host name');
  const name = list.text(list.number(2));
  if (!list.isAtEnd || !value.isAtEnd) throw new RangeError('more than one name');
  return name;
}

/** Reads forward and never past the end. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** @throws RangeError at the end, as all methods */
  number(size: 1 | 2): number {
    const value = this.#bytes.readUIntBE(this.#at, size);
    this.#at += size;
    return value;
  }

  skip(length: number): void {
    this.part(length);
  }

  text(length: number): string {
    const from = this.#at;
    this.part(length);
    return this.#bytes.toString('latin1', from, this.#at);
  }

  part(length: number): Reader {
    const from = this.#at;
    if (from + length > this.#bytes.length) throw new RangeError('cut short');
    this.#at += length;
    return new Reader(this.#bytes.subarray(from, this.#at));
  }
}
