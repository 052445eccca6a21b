import { create } from '@bufbuild/protobuf';
import { existingFolder } from '@bulkhead/home/folder/existing-folder';
import { BulkheadError } from '@bulkhead/protocol';
import {
  type ClientService,
  type SkillManifest as SkillManifestMessage,
  SkillManifestSchema,
  SkillState,
  type SkillSummary,
  SkillSummarySchema,
} from '@bulkhead/protocol/client';
import type { Skill } from '@bulkhead/skills';
import type { ServiceImpl } from '@connectrpc/connect';
import type { FetchedSkill } from './git/fetch-skill.ts';
import type { SkillAddress } from './read-source.ts';
import type { SkillFetcher } from './skill-fetcher.ts';
import type { ListedSkill, SkillLibrary, SkillState as State } from './skill-library.ts';
import type { SkillService } from './skill-service.ts';
import type { TemplateService } from './template-service.ts';

/** The services behind the clients' calls about skills. */
export interface SkillServices {
  readonly library: SkillLibrary;
  readonly service: SkillService;
  readonly fetcher: SkillFetcher;
  readonly templates: TemplateService;
}

const STATES: Readonly<Record<State, SkillState>> = {
  pinned: SkillState.PINNED,
  unpinned: SkillState.UNPINNED,
  changed: SkillState.CHANGED,
};

/** Most files listed for one skill. */
const MAX_FILES_TOLD = 2_000;

/** The clients' calls about skills and templates; no one else can make them. */
export function skillCalls({ library, service, fetcher, templates }: SkillServices) {
  return {
    listSkills: async ({ workingFolder }) => {
      const { skills, warnings } = await library.list(resolved(workingFolder));
      return { skills: skills.map(summaryOf), warnings: [...warnings] };
    },
    readSkill: async ({ name, workingFolder }) => {
      const skill = await library.read(name, resolved(workingFolder));
      if (skill === undefined) throw noSkill(name);
      return { summary: summaryOf(skill.listed), manifest: manifestOf(skill), body: skill.manifest.body };
    },
    inspectSkill: async ({ source, fetchedFrom, address }, { signal }) => {
      using fetched = await fetchedSkill(fetcher, address, signal);
      const { skill, installed } = await service.inspect(placeOf(fetched, { source, fetchedFrom }));
      return {
        manifest: manifestOf(skill),
        installed: [...installed],
        leftOut: [...(fetched?.leftOut ?? []), ...skill.leftOut],
        fetchedFrom: fetched?.fetchedFrom ?? '',
      };
    },
    installSkill: async ({ source, fetchedFrom, address, hash, global }, { signal }) => {
      using fetched = await fetchedSkill(fetcher, address, signal);
      return await service.install(placeOf(fetched, { source, fetchedFrom }), hash, originOf(global));
    },
    pinSkill: async ({ name, hash, global }) => {
      await service.pin(name, hash, originOf(global));
      return {};
    },
    removeSkill: async ({ name, global }) => ({ removed: await service.remove(name, originOf(global)) }),
    createSkill: ({ name, global }) => ({ location: service.create(name, originOf(global)) }),
    listTemplates: async ({ workingFolder }) => {
      const { templates: listed, warnings } = await templates.list(resolved(workingFolder));
      const summaries = listed.map(({ name, description, origin }) => ({ name, description, origin }));
      return { templates: summaries, warnings: [...warnings] };
    },
    expandTemplate: async ({ name, arguments: given, workingFolder }) => ({
      text: await templates.expand(name, given, resolved(workingFolder)),
    }),
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

async function fetchedSkill(fetcher: SkillFetcher, address: string, signal: AbortSignal) {
  return address === '' ? undefined : await fetcher.fetch(address, signal);
}

function placeOf(fetched: FetchedSkill | undefined, named: SkillAddress): SkillAddress {
  if (fetched === undefined) return named;
  if (named.source !== '' || named.fetchedFrom !== '')
    throw new BulkheadError('usage', 'a skill is named by its source or by its address, not by both');
  return { source: fetched.archive, fetchedFrom: fetched.fetchedFrom };
}

function originOf(global: boolean): 'global' | 'profile' {
  return global ? 'global' : 'profile';
}

function resolved(folder: string): string {
  return folder === '' ? '' : existingFolder(folder);
}

function summaryOf(listed: ListedSkill): SkillSummary {
  const { name, manifest, origin, location, state, hiddenBy, hash, fetchedFrom } = listed;
  return create(SkillSummarySchema, {
    name,
    description: manifest.description,
    origin,
    location,
    state: STATES[state],
    hiddenBy: hiddenBy ?? '',
    hash,
    fetchedFrom,
  });
}

function manifestOf({ manifest, files, hash }: Skill): SkillManifestMessage {
  const { name, description, license, compatibility, metadata, wishes, hidden } = manifest;
  return create(SkillManifestSchema, {
    name,
    description,
    license,
    compatibility,
    metadata,
    wishes: [...wishes],
    files: files.files
      .slice(0, MAX_FILES_TOLD)
      .map(({ path, bytes, executable }) => ({ path, size: BigInt(bytes.byteLength), executable })),
    hash,
    hiddenCharacters: hidden,
  });
}

function noSkill(name: string): BulkheadError {
  return new BulkheadError('not_found', `there is no skill ${JSON.stringify(name)}`, {
    fix: 'See `bulkhead skill list`.',
  });
}
