import { TextDecoder } from 'node:util';
import type { Redaction } from '@bulkhead/protocol';
import type { OutputFile } from './output-file.ts';

/** Size of the beginning and end of a command's output that a model sees. */
const HEAD_BYTES = 15_000;
const TAIL_BYTES = 15_000;
/** Kept before the shown end: a secret cut at that place would not be recognized. */
const MARGIN_BYTES = 5_000;

/**
 * Takes a command's output of any length in bounded memory. Output that fits the result leaves no
 * file; longer output goes to the file, from the first byte on.
 */
export class OutputCapture {
  readonly #file: OutputFile;
  readonly #redaction: Redaction | undefined;
  readonly #decoders = new Map<number, TextDecoder>();
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #shownBytes = 0;
  #rawBytes = 0;
  /** Bytes not yet in the file; undefined once a file exists. */
  #held: Uint8Array[] | undefined = [];

  /**
   * @param redaction for the shown part, whose middle is left out; others redact the full output
   */
  constructor(file: OutputFile, redaction?: Redaction) {
    this.#file = file;
    this.#redaction = redaction;
  }

  /**
   * @returns the text that the bytes complete; characters may span chunks, each source has its own
   */
  async add(source: number, bytes: Buffer): Promise<string> {
    const decoder = this.#decoders.get(source) ?? new TextDecoder();
    this.#decoders.set(source, decoder);
    const text = decoder.decode(bytes, { stream: true });
    this.#rawBytes += bytes.length;
    this.#show(Buffer.from(text));
    await this.#keep(bytes);
    return text;
  }

  /** Ends the capture. @returns the text for the model */
  async finish(): Promise<string> {
    for (const decoder of this.#decoders.values()) this.#show(Buffer.from(decoder.decode()));
    await this.#keep(Buffer.alloc(0));
    await this.#file.close();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (this.#held !== undefined) return Buffer.concat([head, tail]).toString('utf8');
    const start = this.#certain(endOfCharacters(head));
    const end = lastOf(this.#redacted(startOfCharacters(tail)));
    const left = this.#shownBytes - start.length - end.length;
    const notice = `[${left} bytes are left out here; ${this.#file.describe(this.#rawBytes)}]`;
    return `${start.toString('utf8')}\n${notice}\n${end.toString('utf8')}`;
  }

  /** A possible beginning of a secret is left out with the middle. */
  #certain(bytes: Buffer): Buffer {
    const stream = this.#redaction?.redactor();
    return stream === undefined ? bytes : Buffer.from(stream.push(bytes.toString('utf8')));
  }

  #redacted(bytes: Buffer): Buffer {
    return this.#redaction === undefined
      ? bytes
      : Buffer.from(this.#redaction.redact(bytes.toString('utf8')));
  }

  #show(bytes: Buffer): void {
    this.#shownBytes += bytes.length;
    const headPart = bytes.subarray(0, HEAD_BYTES - this.#headBytes);
    if (headPart.length > 0) this.#head.push(headPart);
    this.#headBytes += headPart.length;
    const rest = bytes.subarray(headPart.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Trimmed rarely: each trim joins a ring of many small pieces.
    if (this.#tailBytes > 8 * TAIL_BYTES) {
      this.#tail = [Buffer.from(Buffer.concat(this.#tail).subarray(-TAIL_BYTES - MARGIN_BYTES))];
      this.#tailBytes = TAIL_BYTES + MARGIN_BYTES;
    }
  }

  async #keep(bytes: Buffer): Promise<void> {
    if (this.#held !== undefined) {
      if (bytes.length > 0) this.#held.push(bytes);
      if (this.#shownBytes <= HEAD_BYTES + TAIL_BYTES) return;
      const held = Buffer.concat(this.#held);
      this.#held = undefined;
      await this.#file.append(held);
    } else {
      await this.#file.append(bytes);
    }
  }
}

const CONTINUATION_MASK = 0xc0;
const CONTINUATION = 0x80;

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & CONTINUATION_MASK) === CONTINUATION;
}

/** Removes a cut character at the end. The other bytes are valid UTF-8. */
function endOfCharacters(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (isContinuation(bytes[lead])) lead -= 1;
  const byte = bytes[lead] ?? 0;
  const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  return lead + length > bytes.length ? bytes.subarray(0, lead) : bytes;
}

function lastOf(bytes: Buffer): Buffer {
  return startOfCharacters(bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES)));
}

function startOfCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}
