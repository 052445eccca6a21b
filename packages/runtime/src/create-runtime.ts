import type { Context } from '@bulkhead/log/context';
import type { Ledger } from '@bulkhead/log/ledger/ledger';
import type { HomeLayout } from '@bulkhead/protocol';
import type { Compactor } from './run/compactor.ts';
import { Cooldowns } from './run/model-chain.ts';
import { SessionCompaction } from './session/session-compaction.ts';
import type {
  SessionActions,
  SessionEngine,
  SessionMind,
  SessionModels,
  SessionProcesses,
  SessionSettings,
} from './session/session-services.ts';
import { SessionTree } from './session/session-tree.ts';
import { Sessions } from './session/sessions.ts';
import type { Titles } from './session/titles.ts';

export interface RuntimeConfig {
  readonly layout: HomeLayout;
  readonly settings: SessionSettings;
  readonly processes: SessionProcesses;
  readonly actions: SessionActions;
  readonly models: SessionModels & { readonly ledger: Ledger };
  readonly mind: SessionMind;
  readonly upkeep: { readonly compactor: Compactor; readonly titles: Pick<Titles, 'consider'> };
  readonly engine: SessionEngine;
}

/** Sessions and their runs. */
export interface Runtime {
  readonly sessions: Sessions;
  readonly tree: SessionTree;
}

/** Joins the rooms below into sessions. Starts nothing. */
export function createRuntime(context: Context, config: RuntimeConfig): Runtime {
  const { layout, models, upkeep, ...rooms } = config;
  const { mind, settings } = rooms;
  const compaction = new SessionCompaction({
    log: context.log,
    compactor: upkeep.compactor,
    now: () => context.clock.now(),
    model: (choice) => models.client(choice),
    counter: mind.counter,
  });
  const services = {
    ...rooms,
    context,
    models: {
      client: models.client.bind(models),
      fallbacks: models.fallbacks.bind(models),
      refresh: models.refresh.bind(models),
      outputLimit: models.outputLimit.bind(models),
      ledger: models.ledger,
      cooldowns: new Cooldowns(context.clock, settings.cooldownMs),
    },
    upkeep: { ...upkeep, compaction },
  };
  const sessions = new Sessions(services, layout);
  return { sessions, tree: new SessionTree(sessions, services) };
}
