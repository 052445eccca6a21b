import type { ToolAnnotations } from '@bulkhead/protocol';
import { type Action, strictestOf, type Verdict } from '@bulkhead/protocol';
import { annotationOfCall } from '../annotations/annotation-of-call.ts';
import type { TextClassifier } from '../classifier/text-classifier.ts';
import type { PresetName } from '../policy/presets.ts';
import type { PresentTier } from '../shield.ts';
import { analyseArguments } from './arguments/analyse-arguments.ts';
import { carriedTexts } from './arguments/argument-texts.ts';
import { readCommand } from './command/analyse-command.ts';
import type { CommandReadings } from './command/command-readings.ts';
import type { Finding } from './effects/finding.ts';
import { judgeEffects } from './effects/judge-effects.ts';
import { orderInText } from './order-in-text.ts';

export interface AnalysisSettings {
  /** The known tools; a call of any other tool is never allowed [A3]. */
  readonly annotations: Pick<ToolAnnotations, 'get'>;
  readonly preset: PresetName;
  /** Readings of the actions' commands, shared with other judges. */
  readonly readings: Pick<CommandReadings, 'of'>;
  /** The home of the person the agent works for, absolute. */
  readonly home: string;
  /**
   * Checks texts that a call keeps or sends after untrusted data was read; absent, none is checked
   * [H2].
   */
  readonly classifier?: () => Promise<TextClassifier>;
}

/**
 * Tier 1: judges an action by its command and arguments. The same action always gets the same
 * verdict in the same session; uses no language model, clock or file [H2].
 */
export function createAnalysis(settings: AnalysisSettings): PresentTier {
  const { annotations, preset, home, readings, classifier } = settings;
  return {
    present: true,
    name: 'command analysis',
    judge: async (action, { request, taint }) => {
      const { command, workingFolder, hosts = [] } = action.metadata;
      const readingOf = (text: string) =>
        (text === command ? readings.of(action) : undefined) ??
        readCommand(text, { workingFolder, home, hosts });
      const annotation = annotationOfCall(annotations, action);
      const findings = analyseArguments(
        { tool: action.tool, args: action.arguments, workingFolder, home },
        annotation,
        {
          preset,
          request,
          judgeCommand: (text) => judgeEffects(readingOf(text).effects, preset, request),
        },
      );
      const verdict = verdictOf(findings, action);
      // The user's own order needs no question.
      if (verdict.decision !== 'allow' || classifier === undefined || taint?.trust === 'user') return verdict;
      const carried = annotation === undefined ? [] : carriedTexts(action.arguments, annotation);
      return (await orderInText(carried, classifier)) ?? verdict;
    },
  };
}

function verdictOf(findings: readonly Finding[], action: Action): Verdict {
  const worst = strictestOf(findings);
  if (worst === undefined) {
    const reason = `nothing that ${action.tool} would do here needs a question`;
    return { decision: 'allow', tier: 1, rule: 'analysis', reason, confidence: 1 };
  }
  const { decision, rule, reason } = worst;
  const ownYes = decision === 'escalate' && findings.some((finding) => finding.ownYes === true);
  return { decision, tier: 1, rule, reason, confidence: 1, ...(ownYes ? { ownYes } : {}) };
}
