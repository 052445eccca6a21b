import type { Action } from '@bulkhead/protocol';
import type { JudgeContext, PresentTier } from '../shield.ts';
import { analyseCommand } from './command/analyse-command.ts';
import type { AnalysisPreset } from './effects/rule-table.ts';
import type { Finding } from './finding.ts';

export interface AnalysisTierParts {
  /** Called once per action, so that a reload never changes the preset under an action that is judged. */
  readonly preset: () => AnalysisPreset;
  /** Absolute; of the person the agent acts for. */
  readonly home: string;
  /** The analysis of every other argument, by its role. Commands are this tier's own. */
  readonly analyseArguments: (action: Action, preset: AnalysisPreset, request: string) => readonly Finding[];
}

/**
 * Tier 1: the deterministic analysis. It allows what it finds nothing against; whether that is final is tier 0's to say
 * (`minTier`) [H5].
 */
export function createAnalysisTier({ preset, home, analyseArguments }: AnalysisTierParts): PresentTier {
  return {
    present: true,
    name: 'analysis',
    judge(action, context: JudgeContext) {
      const current = preset();
      const { command, workingFolder, hosts = [] } = action.metadata;
      const { request } = context;
      const ofCommand =
        command === undefined
          ? []
          : analyseCommand(command, { workingFolder, home, hosts }, { preset: current, request }).findings;
      const findings = [...ofCommand, ...analyseArguments(action, current, request)];
      const worst = findings.find(({ decision }) => decision === 'block') ?? findings[0];
      return Promise.resolve({
        decision: worst?.decision ?? 'allow',
        tier: 1,
        rule: worst?.rule ?? 'no-finding',
        reason: worst?.reason ?? 'the analysis found nothing against it',
        confidence: 1,
      });
    },
  };
}
