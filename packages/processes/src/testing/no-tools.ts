import type { ShownTools } from '../boxes/shown-tools.ts';

/** A person without programs of their own. */
export const noTools: Pick<ShownTools, 'open' | 'lookFor'> = {
  open: async () => ({ beside: [], env: {}, remarks: [] }),
  lookFor: async () => ({ needs: [], refused: [] }),
};
