import { existsSync } from 'node:fs';
import { arch, type as systemName } from 'node:os';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenedActions } from '@bulkhead/actions/open-actions';
import type { ActionPipeline } from '@bulkhead/actions/pipeline/action-pipeline';
import type { Config } from '@bulkhead/home/config/config-schema';
import type { Context } from '@bulkhead/log/context';
import type { OpenedLog } from '@bulkhead/log/open-log';
import { type Embedder, MemoryThread } from '@bulkhead/memory';
import { createTokenCounter, type KeySources, type TokenCounter } from '@bulkhead/models';
import type { Processes } from '@bulkhead/processes/create-processes';
import { BulkheadError, describeError, type HomeLayout } from '@bulkhead/protocol';
import type { ToolRegistry } from '@bulkhead/tools';
import { EngineMind } from './context/engine-mind.ts';
import { LocalTime } from './context/local-time.ts';
import { ownersRecall } from './context/owners-recall.ts';
import { createFlush, type FlushFacts } from './memory/flush-facts.ts';
import { MemoryNotices } from './memory/memory-notices.ts';
import { memoryPlaces } from './memory/memory-places.ts';
import { openEmbedder } from './memory/open-embedder.ts';
import { type Memory, openMemory } from './memory/open-memory.ts';
import { profilePlaces } from './profile/profile-places.ts';
import { ProfileTexts } from './profile/profile-texts.ts';
import { openSkills } from './skills/open-skills.ts';
import type { SkillServices } from './skills/skill-calls.ts';
import type { SkillMemory } from './skills/skill-memory.ts';
import type { SkillSource } from './skills/skill-source.ts';
import { TrustStore } from './trust/trust-store.ts';

/** Commands have one of their own each, empty at their start. */
const SCRATCH = '/tmp';

export interface MindConfig {
  readonly layout: HomeLayout;
  readonly settings: Pick<Config, 'memory' | 'models' | 'profile'>;
  /** Folder of the bundles; the documentation lies beside it. */
  readonly dist: string;
  readonly keys: KeySources;
  readonly tools: ToolRegistry;
  readonly log: Pick<OpenedLog, 'ledger' | 'callers' | 'logs'>;
  readonly actions: Pick<OpenedActions, 'snapshots' | 'flows'>;
  readonly queue: Processes['commands']['queue'];
}

/** Everything the model is shown beside the conversation, and where it comes from. */
export interface MindRoom {
  readonly mind: EngineMind;
  readonly memory: Memory;
  readonly skills: SkillSource;
  readonly skillMemory: SkillMemory;
  readonly skillServices: SkillServices;
  readonly trust: TrustStore;
  readonly counter: TokenCounter;
  /** Keeps facts of a conversation that is about to be made shorter; undefined if memory is off. */
  flush(pipeline: Pick<ActionPipeline, 'run'>): FlushFacts | undefined;
  /** Problems of memory and of the profile's files, for a person. */
  notices(): readonly string[];
}

/** Joins profile, trust, memory and skills. @param stack closes memory */
export function createMind(context: Context, config: MindConfig, stack: AsyncDisposableStack): MindRoom {
  const { clock, timers, ids, log, audit, logger } = context;
  const { layout, settings, dist, tools, actions } = config;
  const { callers } = config.log;
  const notices = new MemoryNotices((problem) => logger.warn({ problem }, 'memory'));
  const trust = new TrustStore({ layout, audit, clock });
  const memory = stack.use(memoryOf(context, config, notices));
  const opened = openSkills({
    layout,
    environment: config.keys.environment,
    profile: settings.profile,
    trust,
    audit,
    clock,
    tell: (warning) => logger.warn({ warning }, 'skills'),
  });
  const skills = opened.forSessions(log, memory.labels);
  const { folder: profileFolder } = profilePlaces(layout, settings.profile);
  const profile = new ProfileTexts(profileFolder);
  const docs = `${dirname(dist)}/docs`;
  const mind = new EngineMind({
    profile,
    trust,
    recall: ownersRecall(memory.service, callers),
    isOwners: (sessionId) => !callers.isOfProgram(sessionId),
    clock,
    timers,
    time: new LocalTime(),
    place: {
      platform: `${systemName()} ${arch()}`,
      home: layout.root,
      profileFolder,
      scratchFolder: SCRATCH,
      docsFolder: existsSync(docs) ? docs : '',
    },
    remainingTools: tools.groups().flatMap((group) => readOnlyTools(group.tools, tools)),
    onNotice: (notice) => logger.warn(notice),
    onRecallFailure: (error) => logger.error({ err: error }, 'a turn goes on without memory'),
  });
  return {
    mind,
    memory,
    skills: skills.source,
    skillMemory: skills.memory,
    skillServices: opened.services,
    trust,
    counter: createTokenCounter(`${dist}/tokens.mjs`),
    flush: (pipeline) =>
      settings.memory.enabled
        ? createFlush({
            pipeline,
            log,
            ids,
            clock,
            review: settings.memory.review,
            proposals: memory.proposals,
            labelOf: (sessionId) => actions.flows.labelOf(sessionId),
            auto: memory.auto,
          })
        : undefined,
    notices: () => [...profile.read().notices, ...mind.changedFolders, ...notices.all],
  };
}

function memoryOf(context: Context, config: MindConfig, notices: MemoryNotices): Memory {
  const { clock, timers, log, redaction, storage } = context;
  const { layout, settings, actions, keys } = config;
  const { ledger, callers } = config.log;
  const places = memoryPlaces(layout, settings.profile);
  /** Without it words alone answer: a key that is missing must not take memory away. */
  const embedder = (): Embedder | undefined => {
    try {
      const services = { ledger, store: log.store, redaction, clock, timers };
      return openEmbedder(settings.models.embedding, keys, services);
    } catch (error) {
      notices.tell(`models.embedding can't be used: ${describeError(error)}`);
      return undefined;
    }
  };
  return openMemory(context, {
    places,
    settings: { ...settings.memory, byMeaning: settings.models.embedding !== undefined },
    actions: { snapshots: actions.snapshots, labels: actions.flows, queue: config.queue },
    tables: config.log.logs.tables,
    programs: callers,
    openIndex: async () => {
      const byMeaning = embedder();
      return new MemoryThread({
        ...(byMeaning === undefined ? {} : { embedder: byMeaning }),
        entry: pathToFileURL(`${config.dist}/memory.js`),
        path: places.index,
        timers,
        onNotice: ({ text }) => notices.tell(text),
      });
    },
    onError: (error) => {
      // The database names its own place.
      const path = BulkheadError.is(error) && error.code === 'store_failed' ? undefined : layout.profiles;
      storage.report(error, path);
    },
    warn: (problem) => notices.tell(problem),
  });
}

function readOnlyTools(names: readonly string[], tools: ToolRegistry): readonly string[] {
  return names.filter((name) => tools.get(name)?.readOnly === true);
}
