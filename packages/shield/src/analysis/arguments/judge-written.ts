import type { Finding } from '../effects/finding.ts';
import { commandsIn } from './commands-in-files.ts';
import { invisibleIn } from './invisible.ts';
import { judgeInstructions } from './judge-instructions.ts';
import type { ArgumentContext } from './judged-call.ts';
import { namedEffects } from './named-effects.ts';
import { absoluteNames, type Ground, placeOf } from './path-place.ts';
import { findingOf } from './rules.ts';
import { secretIn } from './secret-in-text.ts';

const MAX_JUDGED = 262_144;
const MAX_COMMANDS = 200;
const PHRASE_WORDS = 14;

/**
 * Judges the content of a written file: commands in scripts and build files, instructions where an
 * agent reads the file as its memory, and secrets.
 */
export function judgeWritten(
  path: string,
  content: string,
  ground: Ground,
  context: ArgumentContext,
): readonly Finding[] {
  const { preset } = context.options;
  const place = placeOf(absoluteNames(path, ground), 'write', ground);
  const text = content.slice(0, MAX_JUDGED);
  const findings: Finding[] = [];
  if (place.memory || place.standing || place.identity) findings.push(...judgeInstructions(text, context));
  if (invisibleIn(text)?.deceives === true) {
    findings.push(
      ...findingOf(
        'invisible-characters',
        preset,
        'writes text that hides characters or changes their order',
      ),
    );
  }
  const inside = place.zone === 'working-folder';
  if (secretIn(text) !== undefined || (!inside && isSecretPhrase(text, context))) {
    findings.push(
      ...(inside
        ? findingOf('secret-written', preset, 'writes a secret into a file')
        : findingOf('secret-kept', preset, 'would put credentials into a file outside the working folder')),
    );
  }
  const obeyed = place.startUp || place.runBy !== undefined;
  findings.push(...judgeCommands(commandsIn(path, text), obeyed, context));
  if (content.length > MAX_JUDGED && obeyed) {
    findings.push(
      ...findingOf(
        'not-judged',
        preset,
        `writes ${content.length} characters into a file that is run automatically`,
      ),
    );
  }
  return findings;
}

function judgeCommands(
  commands: readonly string[],
  obeyed: boolean,
  context: ArgumentContext,
): readonly Finding[] {
  const { preset, judgeCommand } = context.options;
  if (commands.length === 0) return [];
  if (commands.length > MAX_COMMANDS)
    return findingOf('not-judged', preset, `writes ${commands.length} commands at once`);
  if (judgeCommand === undefined)
    return obeyed ? findingOf('not-judged', preset, 'writes commands that are not judged') : [];
  return (
    commands
      .flatMap((command) => judgeCommand(command))
      // A script is judged again when it runs in the box: here only findings that no box prevents
      // count.
      .filter((finding) => obeyed || preset === 'strict' || finding.decision === 'block')
      .map((finding) => ({ ...finding, reason: `writes a command that ${finding.reason}` }))
  );
}

function isSecretPhrase(text: string, { call }: ArgumentContext): boolean {
  if (text.length > 400) return false;
  const effects = namedEffects(text, call);
  return effects.credentials !== undefined && effects.words <= PHRASE_WORDS;
}
