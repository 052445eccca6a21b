import { BulkheadError } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command, CommandEntry } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';

const SHELLS = {
  bash: async () => (await import('../completion/bash-completion.ts')).bashCompletion,
  zsh: async () => (await import('../completion/zsh-completion.ts')).zshCompletion,
  fish: async () => (await import('../completion/fish-completion.ts')).fishCompletion,
} as const;

/** @param commands all commands to complete */
export const completionCommand = (commands: readonly CommandEntry[]): Command => ({
  usage: 'bash | zsh | fish',
  about: 'Prints a script that completes commands and options with Tab.',
  details: [
    'bash  in ~/.bashrc:                     source <(bulkhead completion bash)',
    'zsh   in a folder of $fpath:            bulkhead completion zsh > _bulkhead',
    'fish  in ~/.config/fish/completions:    bulkhead completion fish > bulkhead.fish',
    '',
    'Generate it again after an update. Pressing Tab does not run bulkhead.',
  ],
  takesWords: true,
  verbs: Object.keys(SHELLS),
  options: {},
  run: (args, environment) => printScript(commands, args, environment),
});

async function printScript(
  commands: readonly CommandEntry[],
  args: ParsedArguments,
  { stdout }: Environment,
): Promise<number> {
  const [shell = '', extra] = args.words;
  const load = extra === undefined && isShell(shell) ? SHELLS[shell] : undefined;
  if (load === undefined) {
    throw new BulkheadError('usage', 'name a shell: bash, zsh or fish', {
      fix: 'See `bulkhead completion --help`.',
    });
  }
  const { completionTable } = await import('../completion/completion-table.ts');
  const script = await load();
  stdout.write(script(await completionTable(commands)));
  return EXIT.completed;
}

function isShell(word: string): word is keyof typeof SHELLS {
  return Object.hasOwn(SHELLS, word);
}
