import type { Effect } from '../../effects/effect.ts';
import { PlaceBook } from '../../effects/place-book.ts';
import type { Grounds } from '../../effects/place-of.ts';
import { createBudget, DEFAULT_LIMITS } from '../shell/budget.ts';
import type { Analysis } from './analysis.ts';
import { runFunction, runScript, runScriptSink } from './run-script.ts';
import { walkStatements } from './walk-node.ts';

/**
 * An analysis with a full budget.
 *
 * @param effects where it writes what it finds
 * @param hosts that the call was granted, in lower case
 * @param onCommand told of every simple command that would start
 */
export function createAnalysis(
  effects: Effect[],
  grounds: Grounds,
  hosts: readonly string[],
  onCommand: Analysis['onCommand'] = () => {},
): Analysis {
  return {
    budget: createBudget(DEFAULT_LIMITS),
    hosts,
    effects,
    places: new PlaceBook(grounds),
    onCommand,
    walkStatements,
    runScript,
    runScriptSink,
    runFunction,
  };
}
