import type { Play, Played } from './play.ts';
import { NOTE } from './play-boxed.ts';

/** One place where two plays differ. The key is the same for the same place. */
export interface Difference {
  readonly key: string;
  readonly text: string;
}

/** @returns where a play differs from the plain one, the first command first and the files last */
export function differences(plain: Play, other: Play): readonly Difference[] {
  const found: Difference[] = [];
  for (const [index, command] of plain.commands.entries()) {
    const played = other.commands[index];
    const name = `command ${index + 1}`;
    if (played === undefined) found.push({ key: name, text: `${name} was not played` });
    else found.push(...ofCommand(name, command, played));
  }
  return [...found, ...ofTrees(plain, other)];
}

/** Without places where two plain plays differ as well: there, what holds is only chance. */
export function lastingDifferences(plain: Play, again: Play, other: Play): readonly Difference[] {
  const varying = new Set(differences(plain, again).map(({ key }) => key));
  return differences(plain, other).filter(({ key }) => !varying.has(key));
}

function ofCommand(name: string, plain: Played, other: Played): readonly Difference[] {
  const found: Difference[] = [];
  if (plain.exit !== other.exit)
    found.push({ key: `${name} exit`, text: `${name} exits with ${other.exit}, not ${plain.exit}` });
  if (!isSameOutput(plain, other)) {
    const text = firstLineOf(plain.output, other.output);
    found.push({ key: `${name} output`, text: `${name} prints ${text}` });
  }
  return found;
}

function isSameOutput(plain: Played, other: Played): boolean {
  const wanted = plain.output.trimEnd();
  if (other.output.trimEnd() === wanted) return true;
  // Two pipes keep no order between them.
  if (sorted(other.output) === sorted(plain.output)) return true;
  const { withNotes = '' } = other;
  if (wanted === '' || !withNotes.startsWith(wanted)) return false;
  return withNotes
    .slice(wanted.length)
    .split('\n')
    .every((line) => line === '' || NOTE.test(line));
}

function sorted(text: string): string {
  return text.trimEnd().split('\n').toSorted().join('\n');
}

function ofTrees(plain: Play, other: Play): readonly Difference[] {
  const paths = [...new Set([...plain.tree.keys(), ...other.tree.keys()])].toSorted();
  return paths.flatMap((path) => {
    const wanted = plain.tree.get(path);
    const found = other.tree.get(path);
    if (wanted === found) return [];
    if (found === undefined)
      return [{ key: `missing ${path}`, text: `${path} is missing (${headOf(wanted)})` }];
    if (wanted === undefined)
      return [{ key: `left over ${path}`, text: `${path} is left over (${headOf(found)})` }];
    const what = headOf(wanted) === headOf(found) ? 'content' : 'kind';
    return [{ key: `${what} of ${path}`, text: `${path}: ${firstLineOf(wanted, found)}` }];
  });
}

function headOf(text: string | undefined): string {
  return text?.split('\n')[0] ?? '';
}

/** The first line that differs. */
function firstLineOf(wanted: string, found: string): string {
  const lines = wanted.trimEnd().split('\n');
  const others = found.trimEnd().split('\n');
  const at = lines.findIndex((line, index) => line !== others[index]);
  const index = at < 0 ? lines.length : at;
  return `${quoted(others[index])}, not ${quoted(lines[index])}`;
}

function quoted(line: string | undefined): string {
  if (line === undefined) return 'nothing more';
  return JSON.stringify(line.length > 160 ? `${line.slice(0, 160)}…` : line);
}
