import { textDigest } from '@bulkhead/actions/pipeline/text-digest';
import type { Label } from '@bulkhead/shield';

/** Limits of sessions, and of texts of each; those beyond are shown again, which is harmless. */
const SESSIONS = 64;
const TEXTS = 200;

/** The memory recently shown to sessions: the same memory in each turn is noted once. */
export class ShownOnce {
  readonly #shown = new Map<string, Set<string>>();

  isNew(sessionId: string, text: string, label: Label | undefined): boolean {
    const texts = this.#shown.get(sessionId) ?? new Set();
    this.#shown.delete(sessionId);
    this.#shown.set(sessionId, texts);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > SESSIONS && oldest !== undefined) this.#shown.delete(oldest);
    const digest = textDigest(JSON.stringify([text, label?.secrecy, label?.trust]));
    if (texts.has(digest)) return false;
    if (texts.size >= TEXTS) texts.clear();
    texts.add(digest);
    return true;
  }
}
