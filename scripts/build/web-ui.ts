import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

/** Folder of the web UI below the output folder. */
export const WEB_FOLDER = 'web';

/**
 * Bundles the web UI.
 *
 * @param root The checkout.
 * @param outputFolder Gets `web/index.html`, and files beside it whose names contain a hash of
 *   their content.
 * @returns Paths below the output folder, the page last: its reader finds all files it names.
 */
export async function buildWebUi(root: string, outputFolder: string): Promise<readonly string[]> {
  const outDir = join(outputFolder, WEB_FOLDER);
  await build({ configFile: join(root, 'packages/web/vite.config.ts'), build: { outDir } });
  const files: string[] = [];
  for await (const path of glob('**/*.*', { cwd: outDir })) files.push(join(WEB_FOLDER, path));
  const page = join(WEB_FOLDER, 'index.html');
  return [...files.filter((file) => file !== page).sort(), page];
}
