import type { CompletedCommand, CompletedOption } from './completion-table.ts';

/** A function for zsh's own completion system. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef bulkhead
# zsh completion of bulkhead; made by \`bulkhead completion zsh\`
_bulkhead() {
  local -a commands
  commands=(
${commands.map(({ name, about }) => `    ${quoted(`${name}:${about}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  local command=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe -t commands command commands ;;
${commands.map(caseOf).join('\n')}
  esac
}
compdef _bulkhead bulkhead
`;
}

function caseOf({ name, verbs, options }: CompletedCommand): string {
  const first = verbs.length === 0 ? [] : [quoted(`1:verb:(${verbs.join(' ')})`)];
  const specs = [...options.flatMap(specOf), ...first, quoted('*: :_files')];
  return `    ${name})\n      _arguments \\\n        ${specs.join(' \\\n        ')} ;;`;
}

function specOf({ name, short, about, value, choices }: CompletedOption): string[] {
  const said = `[${about.replaceAll(/[[\]\\:]/g, '\\$&')}]`;
  const after = AFTER[value] ?? `:value:(${choices.join(' ')})`;
  const long = quoted(`--${name}${said}${after}`);
  return short === undefined ? [long] : [long, quoted(`-${short}${said}${after}`)];
}

const AFTER: Readonly<Record<string, string>> = {
  none: '',
  files: ':file:_files',
  folders: ':folder:_files -/',
  anything: ':value: ',
};

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
