import * as z from 'zod';
import type { ModelRole } from '../config/config-schema.ts';

const ADDRESS = 'http://127.0.0.1:11434/api/tags';
const LIMIT_MS = 300;
/** Far more than a list of models needs, bytes. */
const MAX_BYTES = 1_000_000;

/** Values of `OLLAMA_HOST` with which Ollama is where it usually is. */
const USUAL_PLACE = /^(https?:\/\/)?(127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\])(:11434)?\/?$/;

const tagsSchema = z.looseObject({ models: z.array(z.looseObject({ name: z.string().min(1).max(256) })) });

/**
 * The first model of an Ollama on this machine that can chat. Asks once, for 300 ms at most; whatever goes wrong means
 * that there is none. If `OLLAMA_HOST` says that it is elsewhere, nobody is asked.
 */
export async function askOllama(
  environment: Readonly<Record<string, string | undefined>>,
  request: typeof fetch,
): Promise<ModelRole | undefined> {
  const host = environment['OLLAMA_HOST'] ?? '';
  if (host !== '' && !USUAL_PLACE.test(host)) return undefined;
  try {
    const response = await request(ADDRESS, { redirect: 'error', signal: AbortSignal.timeout(LIMIT_MS) });
    if (!response.ok) return undefined;
    const { models } = tagsSchema.parse(JSON.parse(await boundedText(response)));
    const first = models.find(({ name }) => !/embed/i.test(name));
    return first === undefined ? undefined : { provider: 'ollama', model: first.name };
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
