import type { AnalysisPreset } from '../effects/rule-table.ts';
import { analyseCommand } from './analyse-command.ts';

/** A place for tests: a project in a home. */
export const TEST_PLACE = { workingFolder: '/home/ada/project', home: '/home/ada', hosts: [] } as const;

/** Returns the analysis's decision about a command. */
export function decide(command: string, preset: AnalysisPreset = 'default', request?: string): string {
  const options = request === undefined ? { preset } : { preset, request };
  return analyseCommand(command, TEST_PLACE, options).findings[0]?.decision ?? 'allow';
}

/** Returns the rules with a finding about a command. */
export function rulesOf(command: string, preset: AnalysisPreset = 'default'): readonly string[] {
  return [...new Set(analyseCommand(command, TEST_PLACE, { preset }).findings.map(({ rule }) => rule))];
}

/** 0 allow, 1 escalate, 2 block. */
export function severity(decision: string): number {
  return ['allow', 'escalate', 'block'].indexOf(decision);
}
