import { relative } from 'node:path';
import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { afterAll, expect } from 'vitest';
import { notesProcessorTime } from './processor-time.ts';

/*
 * For every test file. Properties use the same values each time, so that only a change can make
 * them fail; `npm run proof` uses others. A failed property prints its seed: give it as
 * BULKHEAD_PROPERTY_SEED.
 */
const FIXED_SEED = 1;
const given = process.env['BULKHEAD_PROPERTY_SEED'];

configureGlobal({ ...readConfigureGlobal(), seed: given === undefined ? FIXED_SEED : Number(given) });

const note = notesProcessorTime(process.env['BULKHEAD_PROCESSORS_FILE']);
afterAll(() => note(relative(process.cwd(), expect.getState().testPath ?? '')));
