import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openAccessDatabase } from '@bulkhead/actions/access/access-database';
import { prepareHome } from '@bulkhead/home/folder/prepare-home';
import { memoryPlaces } from '@bulkhead/mind/memory/memory-places';
import { BulkheadError, describeError, type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { sideDatabasesIn } from '@bulkhead/sessions/side-databases';
import { readSettings } from '../ground/read-settings.ts';
import type { Check } from './check.ts';
import { isBeforeFirstStart } from './home-report.ts';
import { storeReports } from './store-reports.ts';

/** It has only pages, no content that opening would check. */
const NOTHING: Disposable = { [Symbol.dispose]: () => {} };

/** Attempts to copy a database while an engine writes to it. */
const TRIES = 3;

/**
 * Opens the other stores of the engine, with the engine's own functions. These get copies: opening
 * makes and repairs files.
 */
export async function stateReports(
  layout: HomeLayout,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bulkhead-doctor-'));
  try {
    const copy = homeLayout(`${folder}/home`);
    mkdirSync(copy.state, { recursive: true });
    const own = (text: string): string => text.replaceAll(copy.root, layout.root);
    const checks: Check[] = [];
    const check = (name: string, look: () => string): void => {
      try {
        checks.push({ name, state: 'ok', detail: own(look()), fix: '' });
      } catch (error) {
        const { message, fix = '' } = BulkheadError.from(error);
        checks.push({ name, state: 'bad', detail: own(message), fix: own(fix) });
      }
    };
    let profile = 'default';
    check('settings', () => {
      copySettings(layout, copy);
      if (isBeforeFirstStart(layout)) prepareHome(copy);
      profile = readSettings(copy, environment).config.profile;
      return `config, keys, policies and profile ${profile} can be read`;
    });
    const database = (name: string, path: string, open: (path: string) => Disposable): void =>
      check(name, () => {
        if (!existsSync(path)) return 'none yet';
        lookAtCopy(path, `${folder}/${basename(name)}.copy`, open);
        return path;
      });
    database('access', layout.access, (path) => openAccessDatabase(path));
    // Of an earlier version: a start migrates them.
    for (const file of sideDatabasesIn(layout.state))
      database(file, `${layout.state}/${file}`, () => NOTHING);
    const index = memoryPlaces(layout, profile).index;
    if (existsSync(index)) checks.push(indexRow(index, `${folder}/index.db`));
    return [...checks, ...(await storeReports(layout, profile))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copySettings(layout: HomeLayout, copy: HomeLayout): void {
  copyIfThere(layout.config, copy.config);
  copyIfThere(layout.secrets, copy.secrets);
  if (isBeforeFirstStart(layout)) return;
  mkdirSync(copy.policies);
  for (const name of namesIn(layout.policies))
    copyIfThere(`${layout.policies}/${name}`, `${copy.policies}/${name}`);
  for (const name of namesIn(layout.profiles)) mkdirSync(`${copy.profiles}/${name}`, { recursive: true });
}

/** A view of files: damage costs only the time to rebuild it. */
function indexRow(path: string, copy: string): Check {
  const name = 'memory index';
  try {
    lookAtCopy(path, copy, () => NOTHING);
    return { name, state: 'ok', detail: path, fix: '' };
  } catch (error) {
    const { message } = BulkheadError.from(error);
    return { name, state: 'warn', detail: message, fix: MAKE_ANEW };
  }
}

const MAKE_ANEW =
  'The engine makes it anew from the files when it opens it; `bulkhead memory reindex` has it done now.';

/** An engine may write between the copies of two files: then all are copied again. */
function lookAtCopy(path: string, copy: string, open: (path: string) => Disposable): void {
  for (let tries = 1; ; tries += 1) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true });
    for (const suffix of ['', '-wal']) copyIfThere(`${path}${suffix}`, `${copy}${suffix}`);
    try {
      refuseBadPages(copy, path);
      open(copy)[Symbol.dispose]();
      return;
    } catch (error) {
      if (tries < TRIES) continue;
      const { code, message, fix = '' } = BulkheadError.from(error);
      throw new BulkheadError(code, message.replaceAll(copy, path), {
        cause: error,
        fix: fix.replaceAll(copy, path),
      });
    }
  }
}

function refuseBadPages(copy: string, path: string): void {
  const fix = 'Restore the file from a backup.';
  let found: unknown;
  try {
    const database = new DatabaseSync(copy);
    try {
      found = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
    } finally {
      database.close();
    }
  } catch (cause) {
    throw new BulkheadError('store_corrupt', `${path} can't be read: ${describeError(cause)}`, {
      fix,
      cause,
    });
  }
  if (found !== 'ok')
    throw new BulkheadError('store_corrupt', `${path} is damaged: ${String(found)}`, { fix });
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function copyIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })?.isFile() !== true) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
