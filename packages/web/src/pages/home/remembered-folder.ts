const KEY = 'bulkhead.folder';

/** The working folder that was used last in this browser; empty if none was. */
export function rememberedFolder(storage: Storage): string {
  return storage.getItem(KEY) ?? '';
}

export function rememberFolder(storage: Storage, folder: string): void {
  storage.setItem(KEY, folder);
}
