import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * A digest of everything a build depends on, by path, size and modification time: cheap enough for every start.
 *
 * @param {string} root The checkout.
 * @returns {string} Hexadecimal SHA-256.
 */
export function sourceStamp(root) {
  const hash = createHash('sha256');
  const add = (/** @type {string} */ path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  };
  for (const path of ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.ts']) {
    if (existsSync(join(root, path))) add(path);
  }
  for (const folder of ['scripts/build', ...packageFolders(root)]) {
    for (const path of filesUnder(root, folder)) add(path);
  }
  return hash.digest('hex');
}

/**
 * @param {string} root The checkout.
 * @param {string} runtime The executable that the build must have been made for.
 * @param {string} [folder] Where the build lies.
 * @returns {boolean} Whether the folder holds a build of the sources as they are.
 */
export function isBuilt(root, runtime, folder = 'dist') {
  const dist = join(root, folder);
  try {
    const build = JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8'));
    return build.source === sourceStamp(root) && resolve(dist, readlinkSync(join(dist, 'node'))) === runtime;
  } catch {
    // No build, half a build, or one of another kind: all the same, it has to be made.
    return false;
  }
}

/** @param {string} root */
function packageFolders(root) {
  const packages = join(root, 'packages');
  if (!existsSync(packages)) return [];
  return readdirSync(packages)
    .sort()
    .map((name) => `packages/${name}`);
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]} In a stable order.
 */
function filesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  const found = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== 'node_modules') found.push(...filesUnder(root, path));
    else if (entry.isFile() && !entry.name.endsWith('.test.ts')) found.push(path);
  }
  return found;
}
