import type { ShownBeside } from '../boxes/shown-beside.ts';

/** A person without programs of their own. */
export const noneBeside: Pick<ShownBeside, 'open' | 'lookFor'> = {
  open: async () => ({ beside: [], env: {}, remarks: [] }),
  lookFor: async () => ({ needs: [], refused: [] }),
};
