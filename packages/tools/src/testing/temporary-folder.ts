import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test's own, removed when its scope ends. */
export class TemporaryFolder implements Disposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-tools-')));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
