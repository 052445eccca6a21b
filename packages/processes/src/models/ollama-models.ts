import * as z from 'zod';

/** Far more than a list of models needs, bytes. */
const MAX_BYTES = 1_000_000;

const tagsSchema = z.looseObject({ models: z.array(z.looseObject({ name: z.string().min(1).max(256) })) });

/**
 * Names of an Ollama's chat models, in its own order. Asks once; any failure means an unknown list.
 *
 * @param address without a trailing slash
 * @param limitMs longest wait, milliseconds
 */
export async function ollamaModels(
  address: string,
  request: typeof fetch,
  limitMs: number,
): Promise<readonly string[] | undefined> {
  try {
    const response = await request(`${address}/api/tags`, {
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs),
    });
    if (!response.ok) return undefined;
    const { models } = tagsSchema.parse(JSON.parse(await boundedText(response)));
    return models.map(({ name }) => name).filter((name) => !/embed/i.test(name));
  } catch {
    return undefined;
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new RangeError('too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
