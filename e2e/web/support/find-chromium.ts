import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import bundled from '@sparticuz/chromium';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * A real Chromium: the one that `BULKHEAD_CHROMIUM` names, one on the path, or the one that is installed with the tests.
 *
 * @throws Error that says what to do, if there is none
 */
export async function findChromium(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = environment['BULKHEAD_CHROMIUM'];
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named;
    throw new Error(`BULKHEAD_CHROMIUM names ${named}, which can't be run.`);
  }
  for (const folder of (environment['PATH'] ?? '').split(delimiter)) {
    const found = NAMES.map((name) => join(folder, name)).find(isExecutable);
    if (found !== undefined) return found;
  }
  try {
    return await bundled.executablePath();
  } catch (error) {
    throw new Error(
      'These tests need a Chromium. Install one, or set BULKHEAD_CHROMIUM to its path; `npm ci` brings one for x64 Linux.',
      { cause: error },
    );
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
