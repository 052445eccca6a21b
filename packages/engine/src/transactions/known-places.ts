import { foldName } from '@bulkhead/protocol';

/** Folders whose content a package manager or a build makes, and makes again. */
const REBUILDABLE = new Set([
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.cache',
  '.gradle',
  '.next',
  '.nuxt',
  '.turbo',
  '.parcel-cache',
  'target',
  'dist',
  'build',
  'out',
  'coverage',
]);

/** Files that shells, editors and tools run or obey when somebody only goes there or opens the folder. */
const RUN_LATER_FILES = new Set([
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.inputrc',
  '.envrc',
  '.gitconfig',
  '.vimrc',
  '.exrc',
  '.nvimrc',
  '.gdbinit',
  '.lldbinit',
  '.pre-commit-config.yaml',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.pythonstartup',
  'sitecustomize.py',
  'usercustomize.py',
]);

/** Folders all of whose files are. */
const RUN_LATER_FOLDERS = new Set(['.husky', '.githooks', '.devcontainer', '.direnv', '.config']);

/** In these, only some files are. */
const RUN_LATER_IN: Readonly<Record<string, ReadonlySet<string>>> = {
  '.vscode': new Set(['tasks.json', 'launch.json', 'settings.json']),
  '.idea': new Set(['workspace.xml']),
  '.mise': new Set(['config.toml']),
};

/** True if one of the folders around the path, or itself, is made by programs. */
export function isRebuildable(names: readonly string[]): boolean {
  return names.some((name) => REBUILDABLE.has(foldName(name)));
}

/** True for what is run or obeyed without being asked for, at any depth. */
export function runLater(names: readonly string[]): boolean {
  const folded = names.map(foldName);
  const last = folded.at(-1) ?? '';
  if (RUN_LATER_FILES.has(last)) return true;
  return folded
    .slice(0, -1)
    .some((name) => RUN_LATER_FOLDERS.has(name) || RUN_LATER_IN[name]?.has(last) === true);
}
