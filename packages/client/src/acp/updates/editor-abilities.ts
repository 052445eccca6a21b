import type { ClientCapabilities } from '@agentclientprotocol/sdk';

/** An editor's display abilities beside messages and calls. */
export interface EditorAbilities {
  readonly notices: boolean;
  readonly compaction: boolean;
}

/** @param capabilities as the editor reported them; undefined: neither */
export function abilitiesOf(capabilities: ClientCapabilities | undefined): EditorAbilities {
  const { notices, compaction } = capabilities?.session ?? {};
  return {
    notices: notices !== undefined && notices !== null,
    compaction: compaction !== undefined && compaction !== null,
  };
}
