import type { Program } from '../programs/program.ts';
import type { Text } from '../shell/text.ts';
import type { Walk } from '../shell/walk.ts';

/** One program about to run. */
export interface Call {
  /** As it is known in the tables: without its folder. */
  readonly name: string;
  readonly program: Program;
  /** Words after the name, expanded. */
  readonly args: readonly Text[];
  readonly stdin: Text;
  readonly walk: Walk;
}

/** Says what a call would do, and gives what it prints. */
export type Grammar = (call: Call) => Text;
