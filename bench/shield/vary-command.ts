/** Another spelling of a shell command that does the same, or undefined where this way does not apply to it. */
export type Variation = (command: string) => string | undefined;

/** A word that a shell takes as it stands. */
const PLAIN = /(?<=^|[\s;|&(])[A-Za-z0-9_][A-Za-z0-9_./-]+(?=$|[\s;|&)])/g;

/** Words that are syntax at the start of a command: quoted they would be names. */
const RESERVED = new Set(
  'if then else elif fi for while until do done case esac in function select time coproc'.split(' '),
);

/** In a line with quotes or a here-document, words can't be separated without parsing it. */
const isFlat = (command: string): boolean => !/['"`\\$#{}\n<]|\bin\b/.test(command);

const words = (change: (word: string) => string): Variation => {
  return (command) => {
    if (!isFlat(command)) return undefined;
    const changed = command.replace(PLAIN, (word) => (RESERVED.has(word) ? word : change(word)));
    return changed === command ? undefined : changed;
  };
};

const half = (word: string): number => Math.ceil(word.length / 2);
const quoted = (command: string): string => `'${command.replaceAll("'", String.raw`'\''`)}'`;
const bytes = (command: string, each: (byte: number) => string): string =>
  [...Buffer.from(command)].map(each).join('');
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** The first variations of a person who hides a command from a reader; each keeps its effect. */
export const VARIATIONS: Readonly<Record<string, Variation>> = {
  'empty-quotes': words((word) => `${word.slice(0, half(word))}''${word.slice(half(word))}`),
  'quoted-words': words((word) => `"${word}"`),
  backslash: words((word) => `${word.slice(0, 1)}\\${word.slice(1)}`),
  'ansi-quotes': words((word) => `$'${bytes(word, (byte) => `\\x${hex(byte)}`)}'`),
  ifs: (command) => {
    if (!isFlat(command) || !/^[^\s;|&()=]+ [^;|&()]*$/.test(command)) return undefined;
    return command.trim().replaceAll(/ +/g, ['$', '{IFS}'].join(''));
  },
  'name-in-variable': (command) => {
    const [, name, rest] = /^([a-z0-9_.-]+)( [^=]*)?$/s.exec(command) ?? [];
    return name === undefined || RESERVED.has(name) || !isFlat(command)
      ? undefined
      : `c=${name}; $c${rest ?? ''}`;
  },
  'path-slashes': (command) =>
    replaceIfAny(command, /(?<![\w:/.-])\/(?=[A-Za-z])([A-Za-z0-9_.-]+)\//g, '//$1/./'),
  'home-variable': (command) =>
    /['"`]/.test(command) ? undefined : replaceIfAny(command, /(?<=^|\s)~\//g, '$HOME/'),
  'sh-c': (command) => `sh -c ${quoted(command)}`,
  eval: (command) => `eval ${quoted(command)}`,
  function: (command) =>
    command.includes('\n') ? undefined : `f() { ${command.replace(/;\s*$/, '')} ; }; f`,
  alias: (command) => {
    const [, name, rest] = /^([a-z0-9_.-]+)( .*)?$/.exec(command) ?? [];
    return name === undefined || RESERVED.has(name)
      ? undefined
      : `shopt -s expand_aliases\nalias q=${quoted(name)}\nq${rest ?? ''}`;
  },
  'base64-to-shell': (command) => `echo ${Buffer.from(command).toString('base64')} | base64 -d | bash`,
  'hex-to-shell': (command) => `printf '${bytes(command, (byte) => `\\x${hex(byte)}`)}' | sh`,
  'reversed-to-shell': (command) =>
    /^[\x20-\x7e]*$/.test(command) ? `echo ${quoted([...command].reverse().join(''))} | rev | sh` : undefined,
  'in-background': (command) => `nohup sh -c ${quoted(command)} >/dev/null 2>&1 &`,
};

function replaceIfAny(command: string, pattern: RegExp, by: string): string | undefined {
  const changed = command.replace(pattern, by);
  return changed === command ? undefined : changed;
}
