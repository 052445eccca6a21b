import { existsSync } from 'node:fs';
import { arch, type as systemName } from 'node:os';
import { dirname } from 'node:path';
import { type Clock, type HomeLayout, systemTimers } from '@bulkhead/protocol';
import type { ToolRegistry } from '@bulkhead/tools';
import type { Logger } from 'pino';
import type { ProgramSessions } from '../callers/caller-database.ts';
import { EngineMind } from '../mind/engine-mind.ts';
import { LocalTime } from '../mind/local-time.ts';
import type { Mind } from '../mind/mind.ts';
import type { MemoryRecall } from '../mind/recall.ts';
import { ProfileTexts } from '../profile/profile-texts.ts';
import type { TrustStore } from '../trust/trust-store.ts';

/** Commands have one of their own each, empty at their start. */
const SCRATCH = '/tmp';

/** What agents are told, and what a person should know of the files it comes from. */
export function openMind(parts: {
  readonly layout: HomeLayout;
  readonly profileFolder: string;
  /** Folder of the bundles; the documentation lies beside it. */
  readonly dist: string;
  readonly trust: TrustStore;
  readonly tools: ToolRegistry;
  readonly clock: Clock;
  readonly recall: MemoryRecall;
  readonly programs: ProgramSessions;
  readonly logger: Logger;
}): { readonly mind: Mind; notices(): readonly string[] } {
  const { layout, profileFolder, trust, tools, clock, recall, logger } = parts;
  const docs = `${dirname(parts.dist)}/docs`;
  const profile = new ProfileTexts(profileFolder);
  const mind = new EngineMind({
    profile,
    trust,
    recall,
    isOwners: (sessionId) => !parts.programs.isOfProgram(sessionId),
    clock,
    timers: systemTimers,
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
  return { mind, notices: () => profile.read().notices };
}

function readOnlyTools(names: readonly string[], tools: ToolRegistry): readonly string[] {
  return names.filter((name) => tools.get(name)?.readOnly === true);
}
