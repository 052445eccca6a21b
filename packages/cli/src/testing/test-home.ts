import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';

/** A separate home for one test, removed when disposed. */
export function testHome(): { readonly layout: HomeLayout } & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'bulkhead-cli-'));
  return {
    layout: homeLayout(join(root, 'home')),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
