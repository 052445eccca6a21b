/**
 * Returns the shell commands in a file, by the kind of file: a script, a workflow's `run:`, a
 * package's scripts, a make recipe, a crontab line, an `Exec=` of a unit, a `RUN` of a container
 * file. Works by line, without a parser for each format: a missed command is judged when it runs.
 *
 * @param path as the call has it
 */
export function commandsIn(path: string, content: string): readonly string[] {
  const name = path.toLowerCase().replaceAll('\\', '/').split('/').at(-1) ?? '';
  if (isShell(name, content)) return [content];
  if (/\.ya?ml$/.test(name)) return yamlCommands(content);
  if (name === 'package.json' || name === 'composer.json' || name === 'tasks.json')
    return jsonCommands(content);
  if (/^(?:gnu)?makefile$|\.mk$/.test(name)) return linesOf(content, /^\t[@+-]*(.+)$/);
  if (/^(?:dockerfile|containerfile)/.test(name)) return linesOf(content, /^RUN\s+(?!\[)(.+)$/i);
  if (/\.(?:service|desktop|timer)$/.test(name)) return linesOf(content, /^Exec\w*=[-@+!:]*(.+)$/);
  if (/crontab|^cron/.test(name) || /\/cron\.d\//.test(path))
    return linesOf(content, /^(?:@\w+|(?:[\d*,/-]+\s+){5})(.+)$/);
  return [];
}

const SHELL_NAMES =
  /^\.?(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|envrc|xprofile|xinitrc|xsession|xsessionrc)$/;

function isShell(name: string, content: string): boolean {
  if (/^#!.{0,80}\b(?:ba|z|da|k|a|fi)?sh\b/.test(content)) return true;
  return /\.(?:sh|bash|zsh|ksh|command|fish)$/.test(name) || SHELL_NAMES.test(name);
}

function linesOf(content: string, line: RegExp): readonly string[] {
  const joined = content.replaceAll(/\\\r?\n/g, ' ');
  return joined.split('\n').flatMap((each) => {
    const command = line.exec(each.trimEnd())?.[1];
    return command === undefined ? [] : [command];
  });
}

/** `run: …` and `script: …` of a pipeline, on one line, in a block, or as a list. */
function yamlCommands(content: string): readonly string[] {
  const commands: string[] = [];
  let block: { readonly indent: number; readonly lines: string[] } | undefined;
  const close = () => {
    if (block !== undefined && block.lines.length > 0) commands.push(block.lines.join('\n'));
    block = undefined;
  };
  for (const line of content.split('\n')) {
    const indent = line.length - line.trimStart().length;
    if (block !== undefined) {
      if (line.trim() === '' || indent > block.indent) {
        block.lines.push(line.trim().replace(/^- /, ''));
        continue;
      }
      close();
    }
    const key =
      /^\s*(?:- )?["']?(?:run|script|before_script|after_script|command|cmd|entry|bash|sh|powershell|pwsh)["']?:\s*(.*)$/i.exec(
        line,
      );
    if (key === null) continue;
    const value = (key[1] ?? '').trim();
    if (/^(?:[|>][+-]?\d?)?$/.test(value)) block = { indent, lines: [] };
    else commands.push(value.replace(/^(["'])(.*)\1$/, '$2'));
  }
  close();
  return commands;
}

/** Every text below `scripts` or `command`. */
function jsonCommands(content: string): readonly string[] {
  const scripts = /"(?:scripts|command)"\s{0,20}:\s{0,20}(?:\{([^{}]*)\}|"((?:[^"\\]|\\.){0,4000})")/gs;
  return [...content.matchAll(scripts)].flatMap(([, map, single]) => {
    if (single !== undefined) return [unquote(single)];
    return [
      ...(map ?? '').matchAll(/"(?:[^"\\]|\\.){0,200}"\s{0,20}:\s{0,20}"((?:[^"\\]|\\.){0,4000})"/g),
    ].map(([, text]) => unquote(text ?? ''));
  });
}

function unquote(text: string): string {
  return text
    .replaceAll(/\\(["\\/])/g, '$1')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');
}
