import type { Message } from '@bulkhead/protocol/chat';
import { fileLists } from './file-lists.ts';
import { oneLine } from './one-line.ts';
import { openTasks } from './open-tasks.ts';
import { type Outline, PROSE_SECTIONS, type SectionName } from './outline.ts';
import type { CompactionPlan } from './plan-compaction.ts';
import { renderOutline } from './summary-text.ts';

/** Limit of the person's requests in a summary made by rule. */
const MAX_REQUESTS = 20;
const MAX_REQUEST = 200;

/** Sections to shorten, in this order, if a summary is too long: oldest lines first. */
const GIVES_WAY: readonly SectionName[] = ['Done', 'Files read', 'Decisions', 'Files changed', 'Open tasks'];

/**
 * The summary: the model's text, and the parts that code always adds [K2]. A section the model left
 * out comes from the earlier summary; files come from the calls; open tasks stay until they are
 * done.
 *
 * @param written undefined if the model gave no usable text: then all of it is made by rule [K3]
 * @param most characters
 */
export function assembleSummary(plan: CompactionPlan, written: Outline | undefined, most: number): string {
  const { old, earlier } = plan;
  const sections = new Map<SectionName, readonly string[]>();
  for (const name of PROSE_SECTIONS) {
    sections.set(name, written?.sections.get(name) ?? earlier.sections.get(name) ?? []);
  }
  if (written === undefined) {
    sections.set('Goal', unique([...(sections.get('Goal') ?? []), ...requestsIn(old)]).slice(-MAX_REQUESTS));
  }
  const named = written?.sections.get('Open tasks') ?? [];
  const done = written?.sections.get('Done') ?? [];
  const before = earlier.sections.get('Open tasks') ?? [];
  sections.set('Open tasks', openTasks(old, { earlier: before, named, done }));
  const files = fileLists(old, {
    read: earlier.sections.get('Files read') ?? [],
    changed: earlier.sections.get('Files changed') ?? [],
  });
  sections.set('Files read', files.read);
  sections.set('Files changed', files.changed);
  return fitted(sections, most);
}

function requestsIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role }) =>
    role.case === 'user' && role.value.text.trim() !== '' ? [oneLine(role.value.text, MAX_REQUEST)] : [],
  );
}

function unique(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)];
}

function fitted(sections: Map<SectionName, readonly string[]>, most: number): string {
  let text = renderOutline(sections);
  for (const least of [10, 3, 1]) {
    for (const name of GIVES_WAY) {
      for (let lines = sections.get(name) ?? []; text.length > most && lines.length > least; ) {
        lines = lines.slice(Math.ceil((lines.length - least) / 2));
        sections.set(name, lines);
        text = renderOutline(sections);
      }
    }
  }
  return text;
}
