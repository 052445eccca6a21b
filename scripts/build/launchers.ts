import { chmod, copyFile, glob, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Copies the prebuilt sandbox launchers.
 *
 * @param root The checkout.
 * @param outputFolder Gets `prebuilt/<platform>-<arch>/bulkhead-launcher`, mode 0755, as in the
 *   package.
 * @returns The copied files' paths below the output folder.
 */
export async function copyLaunchers(root: string, outputFolder: string): Promise<string[]> {
  const copied: string[] = [];
  for await (const path of glob('packages/sandbox/prebuilt/*/bulkhead-launcher', { cwd: root })) {
    const target = join('prebuilt', basename(dirname(path)), 'bulkhead-launcher');
    await mkdir(dirname(join(outputFolder, target)), { recursive: true });
    await copyFile(join(root, path), join(outputFolder, target));
    await chmod(join(outputFolder, target), 0o755);
    copied.push(target);
  }
  return copied.sort();
}
