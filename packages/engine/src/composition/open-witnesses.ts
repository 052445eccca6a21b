import { fileWitness, type HttpExchange, httpWitness, type Witnessing } from '@bulkhead/audit';
import type { Config } from '@bulkhead/home/config/config-schema';
import type { Logger } from 'pino';

/** Far more than a checkpoint needs, bytes. */
const MAX_BYTES = 64 * 1024;

/** @returns nothing if the user named no witness */
export function openWitnesses(
  { witnesses, onWitnessProblem, witnessTimeoutSeconds }: Config['audit'],
  { request, logger }: { readonly request: typeof fetch; readonly logger: Pick<Logger, 'warn'> },
): { readonly witnessing?: Witnessing } {
  const exchange = boundedExchange(request);
  const opened = witnesses.flatMap(({ file, url }) => {
    if (file !== undefined) return fileWitness(file);
    return url === undefined ? [] : httpWitness(url, exchange);
  });
  if (opened.length === 0) return {};
  return {
    witnessing: {
      witnesses: opened,
      onProblem: onWitnessProblem,
      timeoutMs: witnessTimeoutSeconds * 1_000,
      warn: (message) => logger.warn(`audit witness: ${message}`),
    },
  };
}

function boundedExchange(request: typeof fetch): HttpExchange {
  return async ({ method, url, body }, signal) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const init = { method, redirect: 'error' as const, signal };
    const response = await request(url, body === undefined ? init : { ...init, headers, body });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw new RangeError('its answer is too long');
      chunks.push(chunk);
    }
    return { status: response.status, body: Buffer.concat(chunks).toString('utf8') };
  };
}
