import type { ShownBeside } from '../boxes/shown-beside.ts';

/** A person without programs of their own. */
export const noneBeside: Pick<ShownBeside, 'open' | 'lookFor' | 'checkWritten'> = {
  open: async () => ({ beside: [], env: {}, remarks: [] }),
  checkWritten: async () => {},
  lookFor: async () => ({ needs: [], refused: [] }),
};
