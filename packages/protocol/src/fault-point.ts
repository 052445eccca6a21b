import type { FaultPoint } from './fault-points.ts';

/**
 * A place where a test can make the process die, fail or pause. It is empty in the product, and the
 * build removes it and its calls; a build with `--faults` replaces it with
 * `@bulkhead/testkit/fault-point`.
 */
export function faultPoint(_point: FaultPoint): void {}
