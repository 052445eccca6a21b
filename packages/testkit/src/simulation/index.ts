export { EventScope, Scheduler } from './scheduler.ts';
export { SeededRandom } from './seeded-random.ts';
export { Trace } from './trace.ts';
export { VirtualTime } from './virtual-time.ts';
