import { chmod, copyFile, cp, mkdir, realpath, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Copies what is built, and its Node.js as a file of its own: a build meanwhile changes nothing, and no other
 * process shares the runtime's pages, which would make the product look smaller than it is.
 *
 * @param checkout folder of `bulkhead` and `dist`
 * @param target new folder
 * @returns path of the copied runtime
 */
export async function copyBuild(checkout: string, target: string): Promise<string> {
  await mkdir(join(target, 'dist'), { recursive: true });
  await copyFile(join(checkout, 'bulkhead'), join(target, 'bulkhead'));
  await cp(join(checkout, 'dist'), join(target, 'dist'), {
    recursive: true,
    filter: (source) => !basename(source).startsWith('.') && basename(source) !== 'node',
  });
  const node = join(target, 'dist', 'node');
  await copyFile(await realpath(join(checkout, 'dist', 'node')), node);
  await chmod(node, 0o755);
  // The search program is found as a package.
  await symlink(join(checkout, 'node_modules'), join(target, 'node_modules'));
  return node;
}
