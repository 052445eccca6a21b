import { parse, type Script } from 'unbash';
import type { ParseCommand, SimpleCommand } from '../../policy/policy-case.ts';
import type { Effect } from '../effects/effect.ts';
import { isKnown } from '../effects/pattern-text.ts';
import { resolvePath } from '../effects/resolve-path.ts';
import { DEFAULT_LIMITS } from './shell/budget.ts';
import { createShellState } from './shell/shell-state.ts';
import { EMPTY, type Text } from './shell/text.ts';
import { createAnalysis } from './walk/create-analysis.ts';
import { createWalk } from './walk/create-walk.ts';

/**
 * Tells policy every simple command that a text would start, at any depth: in pipes and substitutions, behind `sudo`,
 * `xargs` and `sh -c`, in scripts that the text itself writes. Each counts, the wrapper and what it wraps. A text that
 * can't be parsed or followed, or is over the budget of the analysis, gives undefined: nothing is known of it.
 *
 * @param home of the person the agent works for, absolute: what `~` stands for
 */
export function createParseCommand(home: string): ParseCommand {
  const grounds = { workingFolder: [], home: resolvePath(home, { names: [], anchored: true }).names };
  return (command) => {
    if (command.length > DEFAULT_LIMITS.input) return undefined;
    const started: SimpleCommand[] = [];
    const effects: Effect[] = [];
    const analysis = createAnalysis(effects, grounds, [], (words, plain) => {
      started.push({ words: words.map(knownWord), plain });
    });
    try {
      const script: Script & { readonly errors?: readonly unknown[] | undefined } = parse(command);
      if (script.errors !== undefined && script.errors.length > 0) return undefined;
      const walk = createWalk(createShellState({ names: [], anchored: false }, home), analysis);
      analysis.walkStatements(script.commands, { walk, analysis, stdin: EMPTY });
    } catch {
      return undefined;
    }
    return effects.some(isUnreadable) ? undefined : started;
  };
}

function knownWord({ text }: Text): string | undefined {
  return isKnown(text) ? text : undefined;
}

/** Text that would be run as code, of which nobody can tell what it starts. */
function isUnreadable({ verb, kind }: Effect): boolean {
  return verb === 'evaluate' && (kind === 'unparsed' || kind === 'computed');
}
