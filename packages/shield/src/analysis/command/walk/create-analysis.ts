import type { Effect } from '../../effects/effect.ts';
import { PlaceBook } from '../../effects/place-book.ts';
import type { Grounds } from '../../effects/place-of.ts';
import { createBudget, DEFAULT_LIMITS } from '../shell/budget.ts';
import type { Analysis } from './analysis.ts';
import { runFunction, runScript, runScriptSink } from './run-script.ts';
import { walkStatements } from './walk-node.ts';

/**
 * Creates an analysis with a full budget.
 *
 * @param effects receives its results
 * @param hosts granted to the call, in lower case
 * @param onCommand called with every simple command that would start
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
