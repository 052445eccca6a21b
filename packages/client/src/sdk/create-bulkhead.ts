import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createIdSource, type HomeLayout, homeLayout, systemClock } from '@bulkhead/protocol';
import { homeOf } from '../home-of.ts';
import { openEngine } from '../open-engine.ts';
import { stopStarted } from '../stop-started.ts';
import { Bulkhead } from './bulkhead.ts';
import { programFiles } from './program-files.ts';

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
