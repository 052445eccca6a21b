import { nameMatcher } from './name-matcher.ts';

/**
 * Files that a program runs or obeys automatically, without a request to run the project: when its
 * folder is opened in an editor, entered in a shell, viewed by git, pushed, or at login. Writing
 * one needs approval (FT14). Files that run only with the project (`package.json`, `Makefile`,
 * `conftest.py`, all source code) are not included: the agent's work is to write them, and it runs
 * them in a box.
 */
type RunLater = readonly [by: string, ...paths: readonly string[]];

/**
 * Paths may lie at any depth; one that ends in `/` includes all paths below it. All in lower case.
 */
const RUN_LATER: readonly RunLater[] = [
  [
    'git',
    '.gitattributes',
    '.gitmodules',
    '.gitconfig',
    '.config/git/',
    // A folder with a HEAD, objects and refs is a repository under any name, with hooks and a
    // configuration.
    'head',
    'commondir',
    'config.worktree',
  ],
  ['git hooks', '.husky/', '.githooks/', '.lefthook/', 'lefthook.yml', '.lefthook.yml', 'lefthook.yaml'],
  ['git hooks', '.pre-commit-config.yaml', '.overcommit.yml', '.huskyrc', '.lintstagedrc'],
  ['Mercurial', '.hg/', '.hgrc'],
  ['Jujutsu', '.jj/'],
  ['Subversion', '.svn/', '.subversion/'],
  ['VS Code', '.vscode/', '.vscode-server/', '.cursor/', '.windsurf/'],
  ['JetBrains', '.idea/', '.run/', '.fleet/'],
  ['development containers', '.devcontainer/', '.devcontainer.json'],
  ['Zed', '.zed/'],
  [
    'Vim',
    '.vimrc',
    '_vimrc',
    '.gvimrc',
    '.exrc',
    '.nvimrc',
    '.nvim.lua',
    '.vim/',
    '.config/nvim/',
    '.lvimrc',
  ],
  ['Emacs', '.dir-locals.el', '.dir-locals-2.el', '.emacs', '.emacs.d/', '.config/emacs/'],
  ['a debugger', '.gdbinit', '.lldbinit', '.pdbrc'],
  ['direnv', '.envrc'],
  ['mise', 'mise.toml', '.mise.toml', '.config/mise/'],
  ['a shell', '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile'],
  [
    'a shell',
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.zlogin',
    '.zlogout',
    '.kshrc',
    '.cshrc',
    '.tcshrc',
    '.login',
  ],
  ['a shell', '.inputrc', '.config/fish/', '.pam_environment', '.config/environment.d/'],
  ['a terminal', '.tmux.conf', '.config/tmux/', '.screenrc'],
  ['the desktop', '.xprofile', '.xinitrc', '.xsession', '.xsessionrc', '.config/autostart/', '.mailcap'],
  ['the desktop', '.local/share/applications/', 'library/launchagents/'],
  ['systemd', '.config/systemd/', '.local/share/systemd/'],
  ['every command line', '.local/bin/', '.cargo/bin/', '.curlrc', '.wgetrc'],
  ['Cargo', '.cargo/config', '.cargo/config.toml'],
  [
    'a language shell',
    '.pythonrc',
    '.irbrc',
    '.pryrc',
    '.rprofile',
    '.psqlrc',
    '.sqliterc',
    '.node_repl_history',
  ],
  ['pip', 'pip.conf', '.config/pip/', '.pip/', '.pydistutils.cfg'],
  ['a package manager', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnpmfile.mjs', '.condarc'],
  ['continuous integration', '.github/workflows/', '.github/actions/', '.gitlab-ci.yml', '.circleci/'],
  ['continuous integration', '.travis.yml', 'jenkinsfile', 'azure-pipelines.yml', 'bitbucket-pipelines.yml'],
  ['continuous integration', '.buildkite/', '.drone.yml', '.woodpecker/', '.woodpecker.yml', '.forgejo/'],
  ['another agent', '.claude/', '.mcp.json', '.codex/', '.gemini/', '.aider.conf.yml', '.continue/'],
];

/** Extensions of files that an editor or desktop runs on opening them. */
const RUN_LATER_ENDINGS: readonly (readonly [ending: string, by: string])[] = [
  ['.code-workspace', 'VS Code'],
  ['.desktop', 'the desktop'],
];

interface Pattern {
  readonly by: string;
  readonly parts: readonly ((name: string) => boolean)[];
  /** True if the last part must be the last name. */
  readonly file: boolean;
}

const PATTERNS: readonly Pattern[] = RUN_LATER.flatMap(([by, ...paths]) =>
  paths.map((path) => ({
    by,
    parts: path
      .split('/')
      .filter((part) => part !== '')
      .map((part) => nameMatcher([part])),
    file: !path.endsWith('/'),
  })),
);

const isPart = nameMatcher(
  RUN_LATER.flatMap(([, ...paths]) => paths.flatMap((path) => path.split('/'))).filter(Boolean),
);

/**
 * True for every name in any path known to `runBy`; a quick test for long lists of names.
 *
 * @param name one component of a path
 */
export function mayBeRunLater(name: string): boolean {
  const folded = name.toLowerCase();
  return isPart(name) || RUN_LATER_ENDINGS.some(([ending]) => folded.endsWith(ending));
}

/**
 * Names the program that runs or obeys a file automatically.
 *
 * @param names components below the root of a grant, the file's own last
 * @param before only matches that begin before the component of this index count; programs made
 *   the deeper ones
 * @returns the program, in the form after "run automatically by"; undefined for other files
 */
export function runBy(names: readonly string[], before = names.length): string | undefined {
  const last = names.at(-1)?.toLowerCase() ?? '';
  const starts = names.slice(0, before);
  return (
    PATTERNS.find((pattern) => starts.some((_, at) => matchesAt(pattern, names, at)))?.by ??
    (before < names.length ? undefined : RUN_LATER_ENDINGS.find(([ending]) => last.endsWith(ending))?.[1])
  );
}

function matchesAt({ parts, file }: Pattern, names: readonly string[], at: number): boolean {
  if (file && at + parts.length !== names.length) return false;
  return parts.every((matches, index) => {
    const name = names[at + index];
    return name !== undefined && matches(name);
  });
}
