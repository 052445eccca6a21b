/** A message that a person should see once; search continues without the item. */
export interface MemoryNotice {
  readonly code:
    | 'index_rebuilt'
    | 'text_cut'
    | 'text_not_utf8'
    | 'text_unreadable'
    | 'text_changing'
    | 'embedder_failed'
    | 'embedder_changed';
  /** The text's path; empty if it concerns none. */
  readonly path: string;
  /** A sentence: the event, its place, and the consequence. */
  readonly text: string;
}

/** Passes on each notice about the same item once, until `forget`. */
export interface Notices {
  tell(notice: MemoryNotice): void;
  /** Marks the problem as fixed: a new occurrence is reported again. */
  forget(code: MemoryNotice['code'], path: string): void;
}

/** @param onNotice must not throw */
export function onceEach(onNotice: (notice: MemoryNotice) => void): Notices {
  const told = new Set<string>();
  return {
    tell(notice) {
      const key = `${notice.code} ${notice.path}`;
      if (told.has(key)) return;
      told.add(key);
      onNotice(notice);
    },
    forget: (code, path) => void told.delete(`${code} ${path}`),
  };
}
