import type { JsonObject } from '@bufbuild/protobuf';
import { MARK_TYPES } from './session-store.ts';

type MarkType = (typeof MARK_TYPES)[number];

/** The version of records from which on entries may be marks. */
const FIRST_VERSION_WITH_MARKS = 2;

/** True for an entry that holds no message. */
export function isMark(row: { readonly type: string; readonly version: number }): boolean {
  return markType(row.type) !== undefined && row.version >= FIRST_VERSION_WITH_MARKS;
}

/**
 * What is wrong with a mark that is to be appended; undefined if nothing is.
 * @param hasEntry whether an id is an entry of the tree; `keptFrom` may also name the compaction itself
 */
export function faultOfMark(
  mark: { readonly type: string; readonly entry: string; readonly parent: string | null },
  body: JsonObject,
  hasEntry: (id: string) => boolean,
): string | undefined {
  const type = markType(mark.type);
  if (type === undefined) return undefined;
  const missing = TEXT_FIELDS[type].find((field) => typeof body[field] !== 'string');
  if (missing !== undefined) return `a ${type} entry needs the text ${missing}`;
  if (type === 'label' && mark.parent === null) return 'a label needs a parent, the entry it is put on';
  const kept = body['keptFrom'];
  if (type === 'compaction' && typeof kept === 'string' && kept !== mark.entry && !hasEntry(kept)) {
    return `keptFrom ${kept} is not an entry`;
  }
  return undefined;
}

const TEXT_FIELDS: Readonly<Record<MarkType, readonly string[]>> = {
  compaction: ['summary', 'keptFrom'],
  branch_summary: ['summary'],
  model_change: ['model'],
  label: ['label'],
  session_title: ['title'],
  custom: ['name'],
};

function markType(type: string): MarkType | undefined {
  return MARK_TYPES.find((each) => each === type);
}
