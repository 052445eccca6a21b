const KEY = 'bulkhead.folder';

/** The working folder last used in this browser; empty if none. */
export function rememberedFolder(storage: Storage): string {
  return storage.getItem(KEY) ?? '';
}

export function rememberFolder(storage: Storage, folder: string): void {
  storage.setItem(KEY, folder);
}
