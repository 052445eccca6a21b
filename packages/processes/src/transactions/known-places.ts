/** Folders whose content a package manager or a build can make again. */
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
