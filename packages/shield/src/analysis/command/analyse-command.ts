import { parse, type Script } from 'unbash';
import type { SimpleCommand } from '../../policy/policy-case.ts';
import type { Effect } from '../effects/effect.ts';
import type { Finding } from '../effects/finding.ts';
import { judgeEffects } from '../effects/judge-effects.ts';
import { LABEL } from '../effects/labels.ts';
import { isKnown } from '../effects/pattern-text.ts';
import { PlaceBook } from '../effects/place-book.ts';
import type { Grounds } from '../effects/place-of.ts';
import { resolvePath } from '../effects/resolve-path.ts';
import type { AnalysisPreset } from '../effects/rule-table.ts';
import type { CommandPlace } from './command-place.ts';
import { scanCode } from './grammars/scan-code.ts';
import { looksLikeProse } from './looks-like-prose.ts';
import { createBudget, DEFAULT_LIMITS, OverBudget } from './shell/budget.ts';
import { createShellState } from './shell/shell-state.ts';
import { EMPTY, literal, type Text } from './shell/text.ts';
import type { Analysis } from './walk/analysis.ts';
import { createWalk } from './walk/create-walk.ts';
import { reportErrors, runFunction, runScript, runScriptSink } from './walk/run-script.ts';
import { walkStatements } from './walk/walk-node.ts';

export interface CommandAnalysisOptions {
  readonly preset: AnalysisPreset;
  /** The user's own words: they release questions about ordinary effects that they request. */
  readonly request?: string;
}

export interface CommandAnalysis {
  /** In execution order. */
  readonly effects: readonly Effect[];
  /** Reasons not to run the command without asking; may be empty. */
  readonly findings: readonly Finding[];
}

const ROOT = { names: [], anchored: true };

/** Effects of a command, independent of user and rules. */
export interface CommandReading {
  /** In execution order. */
  readonly effects: readonly Effect[];
  /**
   * Every simple command that the text would start, at any depth: in pipes and substitutions,
   * behind `sudo`, `xargs` and `sh -c`, in scripts that the text itself writes. Includes both the
   * wrapper and the wrapped command. Undefined if the text can't be parsed or followed, or is over
   * the budget: then nothing is known.
   */
  readonly started: readonly SimpleCommand[] | undefined;
}

/**
 * Returns the effects of a shell command and the findings about them. Pure and synchronous; never
 * throws: a command that can't be parsed, or is over the budget, is itself a finding.
 */
export function analyseCommand(
  command: string,
  place: CommandPlace,
  { preset, request }: CommandAnalysisOptions,
): CommandAnalysis {
  const { effects } = readCommand(command, place);
  return { effects, findings: judgeEffects(effects, preset, request) };
}

/** Reads a command. Pure and synchronous; never throws: a failure to read it is an effect. */
export function readCommand(command: string, place: CommandPlace): CommandReading {
  const effects: Effect[] = [];
  let started: SimpleCommand[] | undefined;
  try {
    if (command.length > DEFAULT_LIMITS.input) throw new OverBudget(`${command.length} characters`);
    started = walkAll(command, place, effects);
  } catch (error) {
    const over = error instanceof OverBudget;
    const object = over ? error.message : `the analysis failed: ${String(error)}`;
    effects.push({ verb: 'evaluate', kind: over ? 'over-budget' : 'unparsed', labels: LABEL.none, object });
  }
  const isReadable = !effects.some(isUnreadable);
  const shell = shellOverNetwork(effects);
  if (shell !== undefined) effects.push(shell);
  const prose = looksLikeProse(command, place);
  if (prose !== undefined) {
    effects.push({ verb: 'evaluate', kind: prose, labels: LABEL.none, object: command.slice(0, 80) });
  }
  return { effects, started: isReadable ? started : undefined };
}

/** Text that is run as code and may start anything. */
function isUnreadable({ verb, kind }: Effect): boolean {
  return verb === 'evaluate' && (kind === 'unparsed' || kind === 'computed');
}

function isUnparsed({ errors }: Script & { readonly errors?: readonly unknown[] | undefined }): boolean {
  return errors !== undefined && errors.length > 0;
}

/** @returns the commands it would start; undefined if it can't be parsed. @throws OverBudget */
function walkAll(command: string, place: CommandPlace, effects: Effect[]): SimpleCommand[] | undefined {
  const started: SimpleCommand[] = [];
  const folder = resolvePath(place.workingFolder, ROOT);
  const home = resolvePath(place.home, ROOT);
  const grounds = { workingFolder: folder.names, home: home.names };
  const analysis = createAnalysis(effects, grounds, place.hosts, (words, plain) => {
    started.push({ words: words.map(knownWord), plain });
  });
  const script = parse(command);
  const walk = createWalk(createShellState(folder, place.home), analysis);
  const unparsed = isUnparsed(script);
  if (unparsed && !isRefusedByShell(command)) {
    reportErrors(script, command, walk);
    // Text that no shell accepts may be code of another language.
    scanCode(literal(command), 'text', walk);
  }
  const output = walkStatements(script.commands, { walk, analysis, stdin: EMPTY });
  if (output.labels !== LABEL.none) {
    walk.emit({ verb: 'disclose', kind: 'output', labels: output.labels, object: 'its output' });
  }
  return unparsed ? undefined : started;
}

function knownWord({ text }: Text): string | undefined {
  return isKnown(text) ? text : undefined;
}

const MAX_LINE = 4_096;
/** Here quoting depends on more than quotes. */
const BEYOND_QUOTES = /[\n`#]|\$[({'"]|<<|\[\[|\(\(/;
const QUOTED = /\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs;
/** A redirection without a file: `ps <pid>`. */
const NO_TARGET = /[<>]\s*(?:$|;|\s[|&)])/;

/**
 * True if every POSIX shell refuses a line before running any part of it: an unterminated
 * quotation, or a redirection without a target (IEEE Std 1003.1, 2.2 and 2.10). Independent of the
 * parser, which failed on this text; recognizes plain cases only.
 */
export function isRefusedByShell(command: string): boolean {
  if (command.length > MAX_LINE || BEYOND_QUOTES.test(command)) return false;
  const bare = command.replaceAll(QUOTED, 'q');
  return /['"]/.test(bare) || NO_TARGET.test(bare);
}

/**
 * Detects a shell controlled by another machine: a shell that waits for input, or runs text known
 * only at run time, beside a bare connection in the same command. The link between them (a
 * descriptor, a pipe, a fifo) has too many spellings to check; no other useful command has both.
 *
 * @returns the effect, if these effects contain such a pair
 */
function shellOverNetwork(effects: readonly Effect[]): Effect | undefined {
  const connection = effects.find(
    ({ verb, kind }) => verb === 'send' && (kind === 'device' || kind === 'stream'),
  );
  const obeys = effects.some(
    ({ verb, kind }) =>
      verb === 'compute' || (verb === 'evaluate' && (kind === 'interactive' || kind === 'computed')),
  );
  if (connection === undefined || !obeys) return undefined;
  return { verb: 'evaluate', kind: 'network-shell', labels: connection.labels, object: connection.object };
}

/**
 * Creates an analysis with a full budget.
 *
 * @param effects receives its results
 * @param hosts granted to the call, in lower case
 * @param onCommand called with every simple command that would start
 */
function createAnalysis(
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
