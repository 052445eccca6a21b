import type { ClientCapabilities } from '@agentclientprotocol/sdk';

/** What an editor says it can draw beside messages and calls. */
export interface EditorAbilities {
  readonly notices: boolean;
  readonly compaction: boolean;
}

/** @param capabilities as the editor told them; undefined: it can draw neither */
export function abilitiesOf(capabilities: ClientCapabilities | undefined): EditorAbilities {
  const { notices, compaction } = capabilities?.session ?? {};
  return {
    notices: notices !== undefined && notices !== null,
    compaction: compaction !== undefined && compaction !== null,
  };
}
