import { EVERYDAY_PROGRAMS } from './everyday-programs.ts';
import { POWERFUL_PROGRAMS } from './powerful-programs.ts';
import type { ProgramTable } from './program.ts';

/** All programs with known arguments. */
export const PROGRAMS: ProgramTable = new Map([...EVERYDAY_PROGRAMS, ...POWERFUL_PROGRAMS]);
