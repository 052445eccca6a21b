/** Words that a shell passes on as they are: no quotes, expansions, operators or comments. */
const PLAIN = /^[A-Za-z0-9@%_+:,./^=-]+(?: +[A-Za-z0-9@%_+:,./^=-]+)*$/;

/**
 * Commands that fetch, by program: the words that must follow it at once. Later words are free. Work
 * that sends (`push`, `publish`) or runs a program of the caller's choice (`exec`, `run`) is missing.
 */
const FETCHING: Readonly<Record<string, readonly string[]>> = {
  npm: ['install', 'i', 'ci', 'add', 'update', 'view', 'outdated'],
  pnpm: ['install', 'i', 'add', 'fetch', 'update', 'view'],
  yarn: ['install', 'add', 'upgrade'],
  bun: ['install', 'add', 'update'],
  pip: ['install', 'download'],
  pip3: ['install', 'download'],
  python: ['-m pip install', '-m pip download'],
  python3: ['-m pip install', '-m pip download'],
  uv: ['sync', 'lock', 'add', 'pip install', 'pip sync'],
  cargo: ['build', 'check', 'fetch', 'add', 'update', 'vendor', 'generate-lockfile'],
  go: ['get', 'build', 'install', 'mod download', 'mod tidy'],
  git: ['fetch', 'pull', 'clone', 'ls-remote', 'submodule update'],
  gem: ['install', 'fetch'],
  bundle: ['install', 'update'],
  composer: ['install', 'update', 'require'],
  'apt-get': ['update', 'install', 'download'],
};

/** Options by which git runs a program or reads other settings. */
const GIT_PROGRAM = /^(?:-c|-u|--config|--config-env|--upload-pack|--exec|--template)|::/;

/**
 * Program and subcommand of a command that fetches packages or a repository, as `npm install`: what a
 * grant for all its uses is bound to. Only one straight command counts. The program is named without
 * a path and its place is that of the box's fixed PATH, so no file of the folder, alias, function or
 * variable can stand in for it.
 *
 * @returns undefined for any other command: a grant is then bound to its exact text
 */
export function fetchingPattern(command: string): string | undefined {
  const line = command.trim();
  if (!PLAIN.test(line)) return undefined;
  const [program = '', ...words] = line.split(/ +/);
  const known = Object.hasOwn(FETCHING, program) ? FETCHING[program] : undefined;
  const said = words.join(' ');
  const verb = known?.find((one) => said === one || said.startsWith(`${one} `));
  if (verb === undefined) return undefined;
  if (program === 'git' && words.some((word) => GIT_PROGRAM.test(word))) return undefined;
  return `${program} ${verb === 'i' ? 'install' : verb}`;
}
