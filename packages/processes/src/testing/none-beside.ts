import type { ShownBeside } from '../boxes/shown-beside.ts';
import type { ShownSecrets } from '../secrets/shown-secrets.ts';

/** A person without programs of their own. */
export const noneBeside: Pick<ShownBeside, 'open' | 'lookFor' | 'checkWritten'> = {
  open: async () => ({ beside: [], env: {}, remarks: [] }),
  checkWritten: async () => {},
  lookFor: async () => ({ needs: [], refused: [] }),
};

const noneHidden: Pick<ShownSecrets, 'open' | 'offerable'> = {
  open: async () => ({ shown: [], remarks: [], [Symbol.dispose]: () => {} }),
  offerable: async () => ({ needs: [], refused: [] }),
};

/** Nothing is shown to a command besides its folder. */
export const noneShown = { outside: noneBeside, secrets: noneHidden };
