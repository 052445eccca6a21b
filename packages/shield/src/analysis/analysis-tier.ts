import { type Action, strictestOf, type ToolAnnotations, type Verdict } from '@bulkhead/protocol';
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
      const { command, workingFolder, hosts = [], granted = [] } = action.metadata;
      const ownWalls = hosts.length + granted.length > 0 ? 'way out' : 'no way out';
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
          judgeCommand: (text) =>
            judgeEffects(readingOf(text).effects, preset, request, text === command ? ownWalls : 'none'),
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

/**
 * Most characters of a call to check, some milliseconds. The hint is no boundary, so longer text is
 * skipped.
 */
const MOST = 32_768;

/**
 * Asks about a call whose text reads like an instruction to an agent. Never blocks: an attacker who
 * knows the model can avoid detection, and ordinary text may look like an instruction.
 *
 * @param texts that the call keeps or sends
 * @returns undefined where no text reads like an instruction
 * @throws TypeError for an answer that is not a probability; the shield then blocks
 */
async function orderInText(
  texts: readonly string[],
  load: () => Promise<TextClassifier>,
): Promise<Verdict | undefined> {
  const parts = partsOf(texts);
  if (parts.length === 0) return undefined;
  const classifier = await load();
  let highest = 0;
  for (const part of parts) {
    const probability = await classifier.probability(part);
    if (!(probability >= 0 && probability <= 1))
      throw new TypeError(`${classifier.name} gave ${probability}`);
    highest = Math.max(highest, probability);
  }
  if (highest < classifier.threshold) return undefined;
  const sure = `${classifier.name} classifier, ${Math.floor(highest * 100)} %`;
  const reason = `carries a text that reads like an order to an agent (${sure})`;
  return { decision: 'escalate', tier: 1, rule: 'order-in-text', reason, confidence: highest };
}

function partsOf(texts: readonly string[]): readonly string[] {
  let left = MOST;
  return texts.flatMap((text) => {
    const part = text.slice(0, left);
    left -= part.length;
    return part.trim() === '' ? [] : [part];
  });
}
