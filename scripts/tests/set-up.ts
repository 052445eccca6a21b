import { configureGlobal, readConfigureGlobal } from 'fast-check';

/*
 * For every test file. Properties are tried with the same values each time, so that a change fails by what it
 * changes; `npm run proof` tries others. A failed property prints its seed: give it as BULKHEAD_PROPERTY_SEED.
 */
const FIXED_SEED = 1;
const given = process.env['BULKHEAD_PROPERTY_SEED'];

configureGlobal({ ...readConfigureGlobal(), seed: given === undefined ? FIXED_SEED : Number(given) });
