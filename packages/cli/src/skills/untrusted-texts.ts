import type { EngineClient } from '@bulkhead/client';
import { TrustState } from '@bulkhead/protocol/client';

const PLACES = [
  ['skill', '.bulkhead/skills/'],
  ['template', '.bulkhead/templates/'],
] as const;

/**
 * Skills and templates of a folder that are inactive because it is not trusted, in one line. Opens
 * none of them.
 *
 * @param folder absolute path; empty for none
 */
export async function untrustedTexts(client: EngineClient, folder: string): Promise<readonly string[]> {
  if (folder === '') return [];
  const { state, files } = await client.call('inspectFolder', { folder });
  if (state === TrustState.TRUSTED) return [];
  const found = PLACES.flatMap(([what, place]) => {
    const names = files.flatMap(({ path }) => (path.startsWith(place) ? [nameIn(path, place)] : []));
    return [...new Set(names)].map((name) => `${what} ${name}`);
  });
  if (found.length === 0) return [];
  const why = state === TrustState.CHANGED ? 'has changed since it was trusted' : 'is not trusted';
  return [`${found.join(', ')} of this folder, which ${why}: \`bulkhead trust\``];
}

/** First part of a path below a place, without a file's extension. */
function nameIn(path: string, place: string): string {
  return (path.slice(place.length).split('/')[0] ?? '').replace(/\.md$/, '');
}
