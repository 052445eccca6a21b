import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BulkheadError, createIdSource, type HomeLayout, homeLayout, systemClock } from '@bulkhead/protocol';
import { homeOf } from '../home-of.ts';
import { openEngine } from '../open-engine.ts';
import { stopStarted } from '../stop-started.ts';
import { Bulkhead } from './bulkhead.ts';

export interface BulkheadOptions {
  /**
   * Home folder for all data. Absent: `BULKHEAD_HOME`, else `~/.bulkhead`; for an isolated engine a
   * folder that is removed at its end.
   */
  readonly home?: string;
  /** The working folder of new sessions, where tools act. Absent: this program's. */
  readonly cwd?: string;
  /**
   * A private engine: no other program joins it, and it ends with this one. Refused if an engine
   * already runs on the home.
   */
  readonly isolated?: boolean;
  /**
   * Environment of a started engine, for example with keys of providers. Absent: this program's
   * own.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called when the connection to the engine is lost or restored. */
  readonly onConnection?: (state: 'lost' | 'back') => void;
  /** Cancels the wait for the engine. */
  readonly signal?: AbortSignal;
}

/**
 * Joins the engine of a home, starting it if none runs. A started engine that is not isolated
 * continues after this program, like one started by the command line.
 *
 * @throws BulkheadError `not_available`, `already_running`, `config_invalid`, `timeout`,
 * `cancelled`
 */
export async function createBulkhead(options: BulkheadOptions = {}): Promise<Bulkhead> {
  const { isolated = false, env = process.env, signal } = options;
  const cwd = resolve(options.cwd ?? '.');
  const own = homeFor(options, env);
  const start = {
    ...programFiles(import.meta.url),
    env,
    isolated,
    channel: 'sdk' as const,
    ...(signal === undefined ? {} : { signal }),
  };
  try {
    const { link, started } = await openEngine(own.layout, start, systemClock);
    return new Bulkhead({
      link,
      home: own.layout.root,
      cwd,
      newId: createIdSource(systemClock.now),
      onConnection: options.onConnection ?? (() => undefined),
      async onClose() {
        if (isolated && started !== undefined) await stopStarted(link, started);
        link[Symbol.dispose]();
        own.remove();
      },
    });
  } catch (cause) {
    own.remove();
    throw cause;
  }
}

function homeFor(
  { home, isolated }: BulkheadOptions,
  env: Readonly<Record<string, string | undefined>>,
): { readonly layout: HomeLayout; remove(): void } {
  if (home !== undefined) return { layout: homeLayout(resolve(home)), remove: () => undefined };
  if (isolated !== true) return { layout: homeOf({ env, cwd: resolve('.') }), remove: () => undefined };
  // Accessible only to its owner (0700).
  const made = mkdtempSync(join(tmpdir(), 'bulkhead-isolated-'));
  return { layout: homeLayout(made), remove: () => rmSync(made, { recursive: true, force: true }) };
}

/** The parts of Bulkhead that a program starts. */
interface ProgramFiles {
  readonly supervisor: URL;
  /** Path of the Node.js it was built for. */
  readonly node: string;
}

/**
 * The built program this module belongs to: the one beside it, or that of the checkout if this is
 * the source.
 *
 * @param here address of this module
 * @throws BulkheadError `not_available` if nothing was built
 */
function programFiles(here: string): ProgramFiles {
  const places = [new URL('./', here), new URL('../../../../dist/', here)];
  const dist = places.find((place) => existsSync(new URL('supervisor.js', place)));
  if (dist === undefined) {
    throw new BulkheadError('not_available', `there is no built Bulkhead beside ${fileURLToPath(here)}`, {
      fix: 'Build it in its checkout: npm run build.',
    });
  }
  const node = fileURLToPath(new URL('node', dist));
  return { supervisor: new URL('supervisor.js', dist), node: existsSync(node) ? node : process.execPath };
}
