import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/**
 * No result reveals the duration of a comparison, so the text of code that compares secrets is
 * pinned.
 */
it.each([
  'packages/wire/src/same-token.ts',
  'packages/engine/src/service/serve-clients.ts',
  'packages/actions/src/access/secret.ts',
  'packages/actions/src/approvals/approval-token.ts',
])('%s compares secrets in constant time [FT37]', async (path) => {
  const text = await readFile(join(import.meta.dirname, '..', path), 'utf8');
  expect(text).toMatch(/[^.\w]timingSafeEqual\(/);
});
