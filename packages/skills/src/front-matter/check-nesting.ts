import { badSkillFile } from '../skill-error.ts';

/** Deepest nesting of front matter: the format needs two. */
const MAX_DEPTH = 8;
/** Most lines, and most special characters: a parser's work can grow with their square. */
const MAX_LINES = 256;
const MAX_INDICATORS = 600;
/** Most columns of indentation, which can hold many levels. */
const MAX_INDENT = 32;

/**
 * Refuses deep nesting before parsing: parsers recurse, or take the square of the depth (FT65).
 * Judges brackets, indentation and leading dashes, also inside quotes: a description needs no eight
 * open brackets.
 *
 * @throws BulkheadError `config_invalid` naming file and line
 */
export function checkNesting(yaml: string, fileName: string): void {
  const lines = yaml.split('\n');
  let depth = 0;
  for (const [at, line] of lines.entries()) {
    const [blanks = ''] = /^[ \t]*/.exec(line) ?? [];
    const dashes = (/^[ \t]*(?:[-?][ \t]+)+/.exec(line)?.[0] ?? '').replaceAll(/[ \t]/g, '').length;
    depth = lineDepth(line, depth);
    if (depth > MAX_DEPTH || blanks.length > MAX_INDENT || dashes > MAX_DEPTH / 2) {
      throw badSkillFile(fileName, at + 1, `the front matter is nested deeper than ${MAX_DEPTH} levels`);
    }
  }
  const indicators = yaml.match(/["':,[\]{}#&*!|>?%@`-]/g)?.length ?? 0;
  if (indicators > MAX_INDICATORS) {
    throw badSkillFile(
      fileName,
      1,
      `the front matter has more than ${MAX_INDICATORS} signs that mean something in YAML`,
    );
  }
  if (/(?![\n\t])\p{Cc}/u.test(yaml)) {
    throw badSkillFile(fileName, 1, 'the front matter has control characters');
  }
  if (lines.length > MAX_LINES) {
    throw badSkillFile(fileName, MAX_LINES, `the front matter has more than ${MAX_LINES} lines`);
  }
}

/** Depth of brackets after a line; stops counting where it is too deep. */
function lineDepth(line: string, before: number): number {
  let depth = before;
  for (const character of line) {
    if (character === '[' || character === '{') depth += 1;
    else if ((character === ']' || character === '}') && depth > 0) depth -= 1;
    if (depth > MAX_DEPTH) return depth;
  }
  return depth;
}
