import type { Program } from '../programs/program.ts';
import type { Text } from '../shell/text.ts';
import type { Walk } from '../shell/walk.ts';

/** One program about to run. */
export interface Call {
  /** The program's name in the tables, without its folder. */
  readonly name: string;
  readonly program: Program;
  /** Words after the name, expanded. */
  readonly args: readonly Text[];
  readonly stdin: Text;
  readonly walk: Walk;
}

/** Emits the effects of a call, and returns its output. */
export type Grammar = (call: Call) => Text;
