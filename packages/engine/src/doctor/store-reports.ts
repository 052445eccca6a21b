import { readdirSync, statSync } from 'node:fs';
import { lookAtChronicle } from '@bulkhead/chronicle';
import { SkillPins } from '@bulkhead/mind/skills/skill-pins';
import { skillPlaces } from '@bulkhead/mind/skills/skill-places';
import { TrustRecords } from '@bulkhead/mind/trust/trust-record';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import type { Check } from './check.ts';

/** Contents that are hashed, bytes: a second or so. `bulkhead chronicle verify` hashes all. */
const HASHED_BYTES = 64 * 1024 * 1024;
/** Problems of one kind that are named. */
const MOST_NAMED = 10;

/** Checks the stores that are files: snapshots, trust, pins and outputs. Changes nothing. */
export async function storeReports(layout: HomeLayout, profile: string): Promise<readonly Check[]> {
  return [await chronicleRow(layout), trustRow(layout), ...pinRows(layout, profile), outputsRow(layout)];
}

async function chronicleRow({ chronicle }: HomeLayout): Promise<Check> {
  const { snapshots, contents, hashed, problems } = await lookAtChronicle(chronicle, HASHED_BYTES);
  const detail = `${snapshots} snapshots, ${contents} contents, ${hashed} of them hashed`;
  const fix = `Restore ${chronicle} from a backup: those actions can't be undone without it. \`bulkhead chronicle verify\` looks at all contents.`;
  return rowOf('chronicle', detail, problems, fix);
}

function trustRow({ trust }: HomeLayout): Check {
  const { records, problems } = new TrustRecords(trust).look();
  const fix =
    'Such a folder is not trusted. Remove the file, and trust the folder again: `bulkhead trust DIR`.';
  return rowOf('trust', `${records} trusted folders`, problems, fix);
}

function pinRows(layout: HomeLayout, profile: string): readonly Check[] {
  const { pins } = skillPlaces(layout, profile);
  const paths = [...new Set([pins.global, pins.profile])];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      new SkillPins(path).get('global', 'any');
    } catch (error) {
      problems.push(BulkheadError.from(error).message);
    }
  }
  const fix =
    'Its skills do not count as confirmed. Move the file away and confirm your skills again: `bulkhead skill pin NAME`.';
  return [rowOf('skill pins', 'can be read', problems, fix)];
}

/** Full outputs of commands: a folder for each session. */
function outputsRow({ outputs }: HomeLayout): Check {
  const problems: string[] = [];
  const sessions = namesIn(outputs, problems);
  let count = 0;
  for (const name of sessions) {
    const folder = `${outputs}/${name}`;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      problems.push(`${folder} is no folder`);
    else count += namesIn(folder, problems).length;
  }
  const fix =
    'Give yourself the right to read it, or remove it: a session only loses full outputs of its commands.';
  return rowOf('outputs', `${count} of ${sessions.length} sessions`, problems, fix);
}

/** None in a folder that is missing or removed meanwhile. */
function namesIn(folder: string, problems: string[]): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isGone) problems.push(`${folder} can't be read: ${BulkheadError.from(error).message}`);
    return [];
  }
}

function rowOf(name: string, detail: string, problems: readonly string[], fix: string): Check {
  if (problems.length === 0) return { name, state: 'ok', detail, fix: '' };
  const more = problems.length > MOST_NAMED ? [`${problems.length - MOST_NAMED} more`] : [];
  return { name, state: 'bad', detail: [...problems.slice(0, MOST_NAMED), ...more].join('; '), fix };
}
