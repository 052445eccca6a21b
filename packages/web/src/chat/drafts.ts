const PREFIX = 'bulkhead.draft.';
/** Longer drafts are not kept: they are pasted, and browser storage is small. */
const LONGEST = 200_000;

/** Unsent text, kept across a reload. It stays in this tab. */
export class Drafts {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** @param place a session, or empty for a new one */
  read(place: string): string {
    return this.#storage.getItem(PREFIX + place) ?? '';
  }

  write(place: string, text: string): void {
    if (text === '' || text.length > LONGEST) this.#storage.removeItem(PREFIX + place);
    else this.#storage.setItem(PREFIX + place, text);
  }
}
