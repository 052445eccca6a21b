import { fileURLToPath } from 'node:url';

export { elfInterpreterOf } from './elf-interpreter.ts';
export { packageRoot } from './testing/box-fixture.ts';

/** A program that launches a box and waits; its one argument is described in the file. */
export const launchAndWait = fileURLToPath(new URL('testing/launch-and-wait.ts', import.meta.url));
