import { createHash } from 'node:crypto';
import type { FileChange, FileState } from '@bulkhead/protocol';

/** The files of every session's working folder, by name. They survive engines. */
export class SimulatedFiles {
  readonly #contents = new Map<string, string>();

  read(sessionId: string, path: string): string | undefined {
    return this.#contents.get(`${sessionId} ${path}`);
  }

  write(sessionId: string, path: string, content: string): void {
    this.#contents.set(`${sessionId} ${path}`, content);
  }

  change(sessionId: string, path: string, content: string): FileChange {
    return { path, before: this.#hash(sessionId, path), after: sha256(content) };
  }

  state(sessionId: string, path: string): FileState {
    return { path, hash: this.#hash(sessionId, path) };
  }

  #hash(sessionId: string, path: string): string | null {
    const content = this.read(sessionId, path);
    return content === undefined ? null : sha256(content);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
