import { MAX_SECRET_LENGTH } from '@bulkhead/engine/offline/config';
import type { InputStream } from '../environment.ts';

/** All of standard input, up to the size of a secret. */
export async function readSecretFrom(stdin: InputStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > 4 * MAX_SECRET_LENGTH) break;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}
