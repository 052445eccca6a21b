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

/** True for a folder whose content is made by programs. @param folded by `foldName` */
export function isRebuildableName(folded: string): boolean {
  return REBUILDABLE.has(folded);
}

/**
 * Names that the long list of what is run later can know: all others, nearly all files there are, need not be held
 * against it one by one. Names in disguise are let through to it.
 */
const MAY_BE_RUN_LATER =
  /^[._]|[~\\:]|[^ -~]|^(?:head|commondir|config\.worktree|lefthook|mise|library|pip|jenkinsfile|azure|bitbucket)|\.(?:code-workspace|desktop)$/i;

/** True if a path with this name in it may be run or obeyed without being asked for. */
export function mayBeRunLaterName(name: string): boolean {
  return MAY_BE_RUN_LATER.test(name);
}
