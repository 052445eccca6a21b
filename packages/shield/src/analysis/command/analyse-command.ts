import { parse, type Script } from 'unbash';
import type { Effect } from '../effects/effect.ts';
import type { Finding } from '../effects/finding.ts';
import { judgeEffects } from '../effects/judge-effects.ts';
import { LABEL } from '../effects/labels.ts';
import { resolvePath } from '../effects/resolve-path.ts';
import type { AnalysisPreset } from '../effects/rule-table.ts';
import type { CommandPlace } from './command-place.ts';
import { scanCode } from './grammars/scan-code.ts';
import { looksLikeProse } from './looks-like-prose.ts';
import { isRefusedByShell } from './refused-by-shell.ts';
import { DEFAULT_LIMITS, OverBudget } from './shell/budget.ts';
import { createShellState, type ShellState } from './shell/shell-state.ts';
import { EMPTY, literal } from './shell/text.ts';
import { shellOverNetwork } from './shell-over-network.ts';
import type { Analysis } from './walk/analysis.ts';
import { createAnalysis } from './walk/create-analysis.ts';
import { createWalk } from './walk/create-walk.ts';
import { reportErrors } from './walk/run-script.ts';
import { walkStatements } from './walk/walk-node.ts';

export interface CommandAnalysisOptions {
  readonly preset: AnalysisPreset;
  /** The user's own words: they release questions about ordinary effects they ask for. */
  readonly request?: string;
}

export interface CommandAnalysis {
  /** In the order in which they would happen. */
  readonly effects: readonly Effect[];
  /** Reasons not to let the command run unasked; none if there are none. */
  readonly findings: readonly Finding[];
}

const ROOT = { names: [], anchored: true };

/**
 * What a shell command would do, and what of it may not happen unasked. Pure and synchronous; never throws: a command that
 * can't be parsed, or is over the budget, is itself a finding.
 */
export function analyseCommand(
  command: string,
  place: CommandPlace,
  { preset, request }: CommandAnalysisOptions,
): CommandAnalysis {
  const effects: Effect[] = [];
  try {
    if (command.length > DEFAULT_LIMITS.input) throw new OverBudget(`${command.length} characters`);
    const folder = resolvePath(place.workingFolder, ROOT);
    const home = resolvePath(place.home, ROOT);
    const analysis = createAnalysis(effects, { workingFolder: folder.names, home: home.names }, place.hosts);
    walkAll(command, createShellState(folder, place.home), analysis);
  } catch (error) {
    const over = error instanceof OverBudget;
    const object = over ? error.message : `the analysis failed: ${String(error)}`;
    effects.push({ verb: 'evaluate', kind: over ? 'over-budget' : 'unparsed', labels: LABEL.none, object });
  }
  const shell = shellOverNetwork(effects);
  if (shell !== undefined) effects.push(shell);
  const prose = looksLikeProse(command, place);
  if (prose !== undefined) {
    effects.push({ verb: 'evaluate', kind: prose, labels: LABEL.none, object: command.slice(0, 80) });
  }
  return { effects, findings: judgeEffects(effects, preset, request) };
}

function isUnparsed({ errors }: Script & { readonly errors?: readonly unknown[] | undefined }): boolean {
  return errors !== undefined && errors.length > 0;
}

function walkAll(command: string, state: ShellState, analysis: Analysis): void {
  const script = parse(command);
  const walk = createWalk(state, analysis);
  if (isUnparsed(script) && !isRefusedByShell(command)) {
    reportErrors(script, command, walk);
    // What no shell was meant to run may be code of another language.
    scanCode(literal(command), 'text', walk);
  }
  const output = walkStatements(script.commands, { walk, analysis, stdin: EMPTY });
  if (output.labels !== LABEL.none) {
    walk.emit({ verb: 'disclose', kind: 'output', labels: output.labels, object: 'its output' });
  }
}
