import { type SkillManifest, SkillState, type SkillSummary } from '@bulkhead/protocol/client';
import type { Output } from '../output/output.ts';

/** Number of files listed one by one. */
const SHOWN_FILES = 40;

const STATES: Readonly<Record<SkillState, string>> = {
  // Unknown is not shown as fine.
  [SkillState.UNSPECIFIED]: 'unpinned',
  [SkillState.UNPINNED]: 'unpinned',
  [SkillState.CHANGED]: 'changed',
  [SkillState.PINNED]: 'pinned',
};

export function stateName(state: SkillState): string {
  return STATES[state] ?? 'unpinned';
}

/** A line of the list: name, source, status, purpose. */
export function skillLine(
  { name, origin, state, description, hiddenBy, fetchedFrom }: SkillSummary,
  output: Output,
): string {
  const { bold, dim, yellow } = output.palette;
  const stands =
    state === SkillState.PINNED
      ? ''
      : `, ${yellow(`${stateName(state)}: data, not guidance${state === SkillState.UNPINNED || state === SkillState.CHANGED ? pinHint(name, origin, output) : ''}`)}`;
  const hidden = hiddenBy === '' ? '' : dim(`, hidden by the one of ${output.safeLine(hiddenBy)}`);
  const from = fetchedFrom === '' ? '' : dim(`, from ${output.safeLine(shortAddress(fetchedFrom))}`);
  const head = `${bold(output.safeLine(name))}  (${output.safeLine(origin)}${from}${stands}${hidden})`;
  return hiddenBy === '' ? `${head}  ${output.safeLine(description)}` : head;
}

/** The commit's first twelve digits are enough for a list. */
function shortAddress(address: string): string {
  return address.replace(/#([0-9a-f]{12})[0-9a-f]{28,52}(?=:|$)/, '#$1');
}

/** Only what lies in the home is pinned; a folder's skills depend on trust. */
function pinHint(name: string, origin: string, output: Output): string {
  if (origin !== 'profile' && origin !== 'global') return '';
  return ` until \`bulkhead skill pin ${output.safeLine(name)}${origin === 'global' ? ' --global' : ''}\``;
}

/** A skill's own description, the permissions it requests, and its files. */
export function showManifest(manifest: SkillManifest, output: Output): void {
  const { name, description, license, compatibility, metadata, wishes, files, hash } = manifest;
  output.line(`${output.palette.bold(output.safeLine(name))}: ${output.safeLine(description)}`);
  for (const [key, value] of [
    ['license', license],
    ['compatibility', compatibility],
    ...Object.entries(metadata),
  ]) {
    if (value !== undefined && value !== '')
      output.line(`  ${output.safeLine(key ?? '')}: ${output.safeLine(value)}`);
  }
  if (wishes.length > 0) output.line('It requests the following; none of it is granted:');
  for (const wish of wishes) output.line(`  ${output.safeLine(wish)}`);
  if (manifest.hiddenCharacters > 0) {
    const count = manifest.hiddenCharacters;
    output.line(output.palette.yellow(`Its text has ${count} invisible characters; they are shown as [U+…]`));
  }
  output.line(`${files.length} ${files.length === 1 ? 'file' : 'files'}:`);
  const width = Math.max(1, ...files.map(({ size }) => String(size).length));
  for (const { path, size, executable } of files.slice(0, SHOWN_FILES)) {
    const mark = executable ? `  ${output.palette.yellow('program')}` : '';
    output.line(`  ${String(size).padStart(width)} bytes  ${output.safeLine(path)}${mark}`);
  }
  if (files.length > SHOWN_FILES) output.line(`  … ${files.length - SHOWN_FILES} more`);
  output.line(`hash ${output.safeLine(hash)}`);
}

/** The same for programs. */
export function manifestAsJson(manifest: SkillManifest) {
  const { name, description, license, compatibility, metadata, wishes, files, hash, hiddenCharacters } =
    manifest;
  return {
    name,
    description,
    license,
    compatibility,
    metadata,
    wishes,
    hash,
    hiddenCharacters,
    files: files.map(({ path, size, executable }) => ({ path, size: Number(size), executable })),
  };
}

/** The same for programs. */
export function summaryAsJson(summary: SkillSummary) {
  const { name, description, origin, location, state, hiddenBy, hash, fetchedFrom } = summary;
  const hidden = hiddenBy === '' ? {} : { hiddenBy };
  const fetched = fetchedFrom === '' ? {} : { fetchedFrom };
  return { name, description, origin, location, state: stateName(state), hash, ...hidden, ...fetched };
}
