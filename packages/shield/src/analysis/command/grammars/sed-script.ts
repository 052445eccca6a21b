/** Effects of a `sed` script beyond changing text. */
export interface SedActions {
  /** Command lines that it runs. */
  readonly runs: readonly string[];
  /** True if it runs the processed text. */
  readonly runsText: boolean;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

interface Actions {
  readonly runs: string[];
  runsText: boolean;
  readonly reads: string[];
  readonly writes: string[];
}

/**
 * Reads a `sed` script command by command, in one pass: `s` with its flags, `e`, `r`, `w` and
 * similar. Source: the manual of GNU sed.
 */
export function sedActions(script: string): SedActions {
  const actions: Actions = { runs: [], runsText: false, reads: [], writes: [] };
  let at = 0;
  while (at < script.length) at = command(script, skipAddress(script, at), actions);
  return actions;
}

const BETWEEN: ReadonlySet<string> = new Set(' \t\n\r\v\f0123456789,;{}$!~+*');

/** Blanks, separators, braces, numbers, `/pattern/`, `\cpatternc`, `$`, `!`. */
function skipAddress(script: string, from: number): number {
  let at = from;
  while (at < script.length) {
    const sign = script.charAt(at);
    if (sign === '/') at = skipPart(script, at + 1, '/') + 1;
    else if (sign === '\\') at = skipPart(script, at + 2, script.charAt(at + 1)) + 1;
    else if (BETWEEN.has(sign) || (/[IM]/.test(sign) && script.charAt(at - 1) === '/')) at += 1;
    else break;
  }
  return at;
}

/** @returns the position of the delimiter that ends a part */
function skipPart(script: string, from: number, delimiter: string): number {
  let at = from;
  while (at < script.length && script.charAt(at) !== delimiter) at += script.charAt(at) === '\\' ? 2 : 1;
  return at;
}

/** @returns the start of the next command */
function command(script: string, at: number, actions: Actions): number {
  const name = script.charAt(at);
  if (name === 's' || name === 'y') return substitution(script, at, actions);
  const end = endOfLine(script, at);
  const rest = script.slice(at + 1, end).trim();
  if (name === 'e') {
    if (rest === '' || rest.startsWith(';') || rest.startsWith('}')) actions.runsText = true;
    else actions.runs.push(rest);
  } else if (name === 'w' || name === 'W') actions.writes.push(rest);
  else if (name === 'r' || name === 'R') actions.reads.push(rest);
  else if (!/[aicbtT:#]/.test(name)) return at + 1;
  return end;
}

function substitution(script: string, at: number, actions: Actions): number {
  const delimiter = script.charAt(at + 1);
  const middle = skipPart(script, at + 2, delimiter);
  const last = skipPart(script, middle + 1, delimiter);
  let end = last + 1;
  while (/[gpiImMe\d]/.test(script.charAt(end))) end += 1;
  const flags = script.slice(last + 1, end);
  if (script.charAt(at) === 's' && flags.includes('e')) actions.runsText = true;
  if (script.charAt(end) !== 'w') return end;
  const line = endOfLine(script, end);
  actions.writes.push(script.slice(end + 1, line).trim());
  return line;
}

function endOfLine(script: string, at: number): number {
  const end = script.indexOf('\n', at);
  return end < 0 ? script.length : end;
}
