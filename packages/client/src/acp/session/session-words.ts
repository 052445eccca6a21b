import { TrustState } from '@bulkhead/protocol/client';
import type { EngineLink } from '../../engine-link.ts';

/** A notice on a session for the person, shown once. */
export interface SessionWords {
  readonly title: string;
  readonly description: string;
}

const MCP_WORDS: SessionWords = {
  title: 'The MCP servers of this editor are not used',
  description: 'Tools run in boxes of the engine; servers that an editor starts have none.',
};

/** Ignored parts of a session: an untrusted folder's files, and the editor's own servers. */
export async function sessionWords(
  link: EngineLink,
  folder: string,
  servers: readonly unknown[],
  signal: AbortSignal,
): Promise<readonly SessionWords[]> {
  const words = await folderWords(link, folder, signal);
  return servers.length > 0 ? [...words, MCP_WORDS] : words;
}

async function folderWords(
  link: EngineLink,
  folder: string,
  signal: AbortSignal,
): Promise<readonly SessionWords[]> {
  const { state, files } = await link.repeat(
    (client) => client.call('inspectFolder', { folder }, signal),
    signal,
  );
  if (files.length === 0 || state === TrustState.TRUSTED) return [];
  const named = files.slice(0, 3).map(({ path }) => path);
  const more = files.length > named.length ? ', …' : '';
  return [
    {
      title: 'This folder is not trusted',
      description: `Its files for agents (${named.join(', ')}${more}) are not used. \`bulkhead trust\` shows them and asks.`,
    },
  ];
}
