import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * The replacement of protocol's empty `faultPoint`. No import leads to it, so no other build can
 * contain it.
 */
const ARMED = 'packages/testkit/src/crash/fault-point.ts';

/** @param root the checkout */
export function armedFaultPoints(root: string): Plugin {
  return {
    name: 'armed-fault-points',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\/fault-point\.ts$/ }, ({ importer }) =>
        importer.includes('/packages/protocol/') ? { path: join(root, ARMED) } : undefined,
      ),
  };
}
