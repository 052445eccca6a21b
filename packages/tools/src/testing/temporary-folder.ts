import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, if one exists: thousands of synced writes cost nothing there. */
export function memoryFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

/** A temporary folder for a test, removed when its scope ends. */
export class TemporaryFolder implements Disposable {
  readonly path: string;

  /** @param parent the system's folder for temporary files, if not given */
  constructor(parent = tmpdir()) {
    this.path = realpathSync(mkdtempSync(join(parent, 'bulkhead-tools-')));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
