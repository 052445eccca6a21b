import type { CompletedCommand, CompletedOption } from './completion-table.ts';

/** Lines for fish, one per completion. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c bulkhead -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.about)}`,
    ...verbLines(command),
    ...command.options.map((option) => optionLine(command, option)),
  ]);
  return `# fish completion of bulkhead; made by \`bulkhead completion fish\`\n${lines.join('\n')}\n`;
}

function verbLines({ name, verbs }: CompletedCommand): string[] {
  if (verbs.length === 0) return [];
  const all = verbs.join(' ');
  const when = `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${all}`;
  return [`complete -c bulkhead -n ${quoted(when)} -f -a ${quoted(all)}`];
}

function optionLine({ name }: CompletedCommand, option: CompletedOption): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`;
  const head = `complete -c bulkhead -n '__fish_seen_subcommand_from ${name}' -l ${option.name}${short}`;
  return `${head}${valuePart(option)} -d ${quoted(option.about)}`;
}

function valuePart({ value, choices }: CompletedOption): string {
  switch (value) {
    case 'none':
      return '';
    case 'files':
      return ' -r -F';
    case 'folders':
      return " -x -a '(__fish_complete_directories)'";
    case 'words':
      return ` -x -a ${quoted(choices.join(' '))}`;
    case 'anything':
      return ' -x';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
