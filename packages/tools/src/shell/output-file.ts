import type { FileHandle } from 'node:fs/promises';
import { mkdir, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { flushFolder, systemCode } from '@bulkhead/files';
import { faultPoint, type Redactor } from '@bulkhead/protocol';

/**
 * A file for output that is too long to show, with secrets redacted [A7]. A failed write never
 * fails the command: its reason is kept.
 */
export class OutputFile {
  readonly path: string;
  readonly #maxBytes: number;
  #handle: FileHandle | undefined;
  readonly #redactor: Redactor | undefined;
  /** Counts bytes of the output, not of the file. */
  #bytes = 0;
  /** Bytes of the file that stay as they are. */
  #kept = 0;
  /** True while the file ends in characters that may still become part of a secret. */
  #hasRest = false;
  #failure: string | undefined;
  readonly #onError: ((error: unknown) => void) | undefined;

  /** @param path absolute; must not exist yet. Creates its missing folder, for this user only. */
  constructor(path: string, maxBytes: number, redactor?: Redactor, onError?: (error: unknown) => void) {
    this.#onError = onError;
    this.path = path;
    this.#redactor = redactor;
    this.#maxBytes = maxBytes;
  }

  async append(bytes: Uint8Array): Promise<void> {
    const room = this.#maxBytes - this.#bytes;
    if (this.#failure !== undefined || room <= 0) return;
    const part = bytes.subarray(0, room);
    await this.#takeRestBack();
    await this.#keep(this.#redactor === undefined ? part : redacted(part, this.#redactor));
    this.#bytes += part.length;
    await this.#showRest();
  }

  async close(): Promise<void> {
    const held = this.#handle === undefined ? '' : (this.#redactor?.end() ?? '');
    await this.#takeRestBack();
    if (held !== '') await this.#keep(Buffer.from(held, 'latin1'));
    await this.#finish();
  }

  /**
   * How to open the output and how much of it is kept, for the notice. @param total bytes of the whole output
   */
  describe(total: number): string {
    if (this.#failure !== undefined) return `the whole output could not be kept (${this.#failure})`;
    const part = this.#bytes < total ? `the first ${this.#bytes} bytes` : 'all';
    return `result_open with id ${basename(this.path, '.txt')} shows ${part} of the output`;
  }

  async #keep(bytes: Uint8Array): Promise<void> {
    await this.#write(bytes);
    this.#kept += bytes.length;
  }

  /** The last digit of a port, for one: a server that waits says nothing more. */
  async #showRest(): Promise<void> {
    const rest = this.#redactor?.rest() ?? '';
    if (rest === '') return;
    await this.#write(Buffer.from(rest, 'latin1'));
    this.#hasRest = true;
  }

  async #takeRestBack(): Promise<void> {
    if (!this.#hasRest) return;
    this.#hasRest = false;
    try {
      await this.#handle?.truncate(this.#kept);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      faultPoint('outputs.before_write');
      this.#handle ??= await this.#create();
      await this.#handle.appendFile(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= systemCode(error) ?? 'unknown error';
    this.#onError?.(error);
  }

  /** On disk before anything refers to it. */
  async #finish(): Promise<void> {
    await using handle = this.#handle;
    this.#handle = undefined;
    if (handle === undefined) return;
    try {
      await handle.sync();
      await flushFolder(dirname(this.path));
    } catch (error) {
      this.#fail(error);
    }
  }

  async #create(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    // Bytes are written at the end, wherever that is after a part was taken back.
    return open(this.path, 'ax', 0o600);
  }
}

/** One character per byte: output may hold any bytes, and only secrets are changed. */
function redacted(bytes: Uint8Array, redactor: Redactor): Buffer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return Buffer.from(redactor.push(text), 'latin1');
}
