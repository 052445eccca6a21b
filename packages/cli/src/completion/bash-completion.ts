import type { CompletedCommand, CompletedOption } from './completion-table.ts';

/** A script for bash that contains all commands: Tab does not run this program. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# bash completion of bulkhead; made by \`bulkhead completion bash\`
_bulkhead() {
  local cur prev command verb word i words
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD - 1]}
  command= verb= words=
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == -* ]] || _bulkhead_takes "$command" "\${COMP_WORDS[i - 1]}"; then continue; fi
    if [[ -z $command ]]; then command=$word; elif [[ -z $verb ]]; then verb=$word; fi
  done
  case "$command $prev" in
${commands.flatMap((command) => command.options.flatMap((option) => valueCase(command, option))).join('\n')}
  esac
  if _bulkhead_takes "$command" "$prev"; then return; fi
  case "$command" in
    '') if [[ $cur == -* ]]; then words='--help --version --profile'; else words='help ${names}'; fi ;;
    help) words='${names}' ;;
${commands.map(wordsCase).join('\n')}
  esac
  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
}
_bulkhead_takes() {
  case "$1 $2" in
${takesCases(commands)}
    *) return 1 ;;
  esac
}
complete -o bashdefault -o default -F _bulkhead bulkhead ./bulkhead
`;
}

function valueCase({ name }: CompletedCommand, option: CompletedOption): string[] {
  const pattern = patternOf(name, option);
  switch (option.value) {
    case 'folders':
      return [`    ${pattern}) COMPREPLY=($(compgen -d -- "$cur")); return ;;`];
    case 'files':
      return [`    ${pattern}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`];
    case 'words':
      return [`    ${pattern}) COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$cur")); return ;;`];
    case 'none':
    case 'anything':
      return [];
  }
}

function wordsCase({ name, verbs, options }: CompletedCommand): string {
  const flags = options.map((option) => `--${option.name}`).join(' ');
  const offered = verbs.length === 0 ? '' : ` elif [[ -z $verb ]]; then words='${verbs.join(' ')}';`;
  return `    ${name}) if [[ $cur == -* ]]; then words='${flags}';${offered} fi ;;`;
}

function takesCases(commands: readonly CompletedCommand[]): string {
  const patterns = commands.flatMap((command) =>
    command.options.flatMap((option) => (option.value === 'none' ? [] : [patternOf(command.name, option)])),
  );
  return `    ' --profile' | ${patterns.join(' | ')}) return 0 ;;`;
}

function patternOf(command: string, { name, short }: CompletedOption): string {
  const long = `'${command} --${name}'`;
  return short === undefined ? long : `${long} | '${command} -${short}'`;
}
