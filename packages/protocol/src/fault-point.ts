import type { FaultPoint } from './fault-points.ts';

/**
 * A place where a test can make the process die, fail or stop for a while. In what people run it is empty, and the
 * build leaves neither it nor its calls; a build with `--faults` puts `@bulkhead/testkit/fault-point` in its place.
 */
export function faultPoint(_point: FaultPoint): void {}
