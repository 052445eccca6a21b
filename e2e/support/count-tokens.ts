import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const PROGRAM = fileURLToPath(new URL('../../dist/tokens.mjs', import.meta.url));

/** Counts with the product's own program, which counts as OpenAI's models do. */
export async function countTokens(texts: readonly string[]): Promise<readonly number[]> {
  const worker = new Worker(PROGRAM, { workerData: texts });
  const [counts] = await once(worker, 'message');
  await worker.terminate();
  return counts;
}
