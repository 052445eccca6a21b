import type { AuditSink } from '@bulkhead/audit';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import type { Clock, HomeLayout } from '@bulkhead/protocol';
import type { FolderTrust } from './folder-texts.ts';
import type { LineLabels } from './knowledge-labels.ts';
import { openPins } from './profile-pins.ts';
import type { SkillServices } from './skill-calls.ts';
import { SkillFetcher } from './skill-fetcher.ts';
import { SkillLibrary } from './skill-library.ts';
import { SkillMemory } from './skill-memory.ts';
import { skillPlaces } from './skill-places.ts';
import { SkillService } from './skill-service.ts';
import { SkillSource } from './skill-source.ts';
import { TemplateService } from './template-service.ts';

/** Skills of a home: for people, and for runs. */
export interface OpenedSkills {
  readonly services: SkillServices;
  /**
   * @param log where sessions keep what they have loaded
   * @param lines of lines that were moved from memory into knowledge
   */
  forSessions(
    log: SessionLog,
    lines: LineLabels,
  ): { readonly source: SkillSource; readonly memory: SkillMemory };
}

/** Touches no disk yet: a home without skills costs nothing. @param parts.tell hears once of what is wrong */
export function openSkills(parts: {
  readonly layout: HomeLayout;
  /** For what is fetched: how to reach hosts. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Its name; without one, the default. */
  readonly profile?: string;
  readonly trust: FolderTrust;
  readonly audit: AuditSink;
  readonly clock: Clock;
  readonly tell: (warning: string) => void;
}): OpenedSkills {
  const { layout, environment, trust, audit, clock, tell } = parts;
  const places = skillPlaces(layout, parts.profile);
  const pins = openPins(places.pins);
  const library = new SkillLibrary({ places, pins, trust });
  return {
    services: {
      library,
      service: new SkillService({ places, library, pins, audit, clock }),
      fetcher: new SkillFetcher({ layout, environment }),
      templates: new TemplateService({ place: places.templates, trust }),
    },
    forSessions: (log, lines) => {
      const memory = new SkillMemory({ log, now: () => clock.now() });
      const { knowledge } = places;
      return { memory, source: new SkillSource({ library, memory, knowledge, lines, tell }) };
    },
  };
}
