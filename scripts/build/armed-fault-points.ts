import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** What the empty `faultPoint` of protocol is replaced with. No import leads to it, so no other build can hold it. */
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
