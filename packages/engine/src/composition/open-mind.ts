import { existsSync } from 'node:fs';
import { arch, type as systemName } from 'node:os';
import { dirname } from 'node:path';
import type { ProgramSessions } from '@bulkhead/log/callers/caller-tables';
import { EngineMind } from '@bulkhead/mind/context/engine-mind';
import { LocalTime } from '@bulkhead/mind/context/local-time';
import type { Mind } from '@bulkhead/mind/context/mind';
import type { MemoryRecall } from '@bulkhead/mind/context/recall';
import { ProfileTexts } from '@bulkhead/mind/profile/profile-texts';
import type { TrustStore } from '@bulkhead/mind/trust/trust-store';
import { type Clock, type HomeLayout, systemTimers } from '@bulkhead/protocol';
import type { ToolRegistry } from '@bulkhead/tools';
import type { Logger } from 'pino';

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
