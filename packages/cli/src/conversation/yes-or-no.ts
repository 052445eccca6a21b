/**
 * A person's answer to a question whose safe answer is no.
 *
 * @returns true for y and yes, false for n, no and an empty line, undefined for an invalid answer
 */
export function yesOrNo(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'y' || word === 'yes') return true;
  return word === 'n' || word === 'no' || word === '' ? false : undefined;
}
