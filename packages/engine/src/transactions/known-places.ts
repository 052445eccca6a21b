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

/** True if one of the folders around the path, or itself, is made by programs. */
export function isRebuildable(names: readonly string[]): boolean {
  return names.some((name) => REBUILDABLE.has(foldName(name)));
}
