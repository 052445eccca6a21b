import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileText, MemoryNotice } from '../index/index.ts';
import type { MemorySource } from '../memory-hit.ts';

/** A profile's folder for a test, with room for an index beside it. Removed with its scope. */
export class TextFolder implements Disposable {
  readonly #place = mkdtempSync(join(tmpdir(), 'bulkhead-memory-'));
  readonly folder = join(this.#place, 'profile');
  readonly notices: MemoryNotice[] = [];
  readonly #texts = new Map<string, FileText>();

  constructor() {
    mkdirSync(this.folder);
  }

  /** All texts written so far. */
  get texts(): readonly FileText[] {
    return [...this.#texts.values()];
  }

  get codes(): readonly string[] {
    return this.notices.map(({ code, path }) => (path === '' ? code : `${code} ${path}`));
  }

  readonly onNotice = (notice: MemoryNotice): void => void this.notices.push(notice);

  index(name = 'index.db'): string {
    return join(this.#place, name);
  }

  file(path: string): string {
    return join(this.folder, path);
  }

  write(path: string, content: string | Uint8Array, source: MemorySource = 'memory'): void {
    mkdirSync(dirname(this.file(path)), { recursive: true });
    writeFileSync(this.file(path), content);
    this.#texts.set(path, { source, path, folder: this.folder });
  }

  remove(path: string): void {
    rmSync(this.file(path));
    this.#texts.delete(path);
  }

  /** Writes a file, or removes it. */
  change(path: string, content: string | undefined): void {
    if (content !== undefined) this.write(path, content);
    else if (this.#texts.has(path)) this.remove(path);
  }

  [Symbol.dispose](): void {
    rmSync(this.#place, { recursive: true, force: true });
  }
}
