/** Something a person should know once; search goes on without it. */
export interface MemoryNotice {
  readonly code:
    | 'index_rebuilt'
    | 'text_cut'
    | 'text_not_utf8'
    | 'text_unreadable'
    | 'text_changing'
    | 'embedder_failed'
    | 'embedder_changed';
  /** The text it is about; empty if it is about none. */
  readonly path: string;
  /** A sentence: what happened, where, and what follows. */
  readonly text: string;
}

/** Hands on each notice about the same thing once, until `forget`. */
export interface Notices {
  tell(notice: MemoryNotice): void;
  /** It is mended: should it happen again, that is told again. */
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
