import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Declares the bundles' module type, wherever they are copied: without it, Node.js parses each to
 * find out.
 *
 * @param outputFolder Gets `package.json`.
 * @returns The file's path below the output folder.
 */
export async function writeModuleType(outputFolder: string): Promise<string> {
  const name = 'package.json';
  await writeFile(join(outputFolder, name), '{ "type": "module" }\n');
  return name;
}
