/** First line of every answer, so that the rules are not mistaken for a language model. */
export const OFFLINE_LABEL = '[offline model: rule-based, no language understanding]';

const MOST_SHOWN_LINES = 400;
const MOST_SHOWN_CHARACTERS = 12_000;

export const HELP = [
  'I am a set of rules, not a language model. I understand plain requests such as:',
  '- list the files here',
  '- which file here is largest? show its first lines',
  '- read README.md and tell me how many lines',
  '- show the last 5 lines of notes.txt',
  '- create notes.txt with "hello" and then show it',
  '- replace "foo" with "bar" in a.txt',
  '- find all *.ts files in src',
  '- search for TODO in src',
  '- run `npm test`',
  '',
  'For anything else configure a model in config.yaml: see docs/configuration.md.',
].join('\n');

/** Adds the label in front; paragraphs are separated by an empty line. */
export function composeAnswer(sections: readonly string[]): string {
  return [OFFLINE_LABEL, sections.join('\n\n')].join('\n');
}

/** Text of a file or a command between fences that the text can't close. */
export function fenced(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${shortened(text)}\n${fence}`;
}

function shortened(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MOST_SHOWN_LINES).join('\n').slice(0, MOST_SHOWN_CHARACTERS);
  return shown.length < text.replace(/\n$/, '').length ? `${shown}\n… (shortened)` : shown;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
