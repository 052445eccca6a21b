import { visibleText } from '@bulkhead/protocol';
import type { ToolItem, ToolState } from '@bulkhead/protocol/transcript';
import type { IconName } from '../ui/icons.ts';

const ICONS: Readonly<Record<string, IconName>> = {
  bash: 'terminal',
  read: 'file',
  write: 'file',
  edit: 'pencil',
  ls: 'folder',
  find: 'search',
  grep: 'search',
  web_fetch: 'globe',
  web_search: 'globe',
};

export function toolIcon(tool: string): IconName {
  return ICONS[tool] ?? (tool.startsWith('web') ? 'globe' : 'spark');
}

/** A call's arguments, each on separate lines. */
export function argumentLines(value: unknown): readonly { readonly name: string; readonly text: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, each]) => ({
    name: visibleText(name, false),
    text: visibleText(typeof each === 'string' ? each : JSON.stringify(each, null, 2)),
  }));
}

type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

const STATES: Readonly<Record<ToolState, { readonly text: string; readonly tone: Tone }>> = {
  proposed: { text: 'judging', tone: 'plain' },
  asking: { text: 'needs approval', tone: 'warn' },
  running: { text: 'running', tone: 'accent' },
  done: { text: 'done', tone: 'good' },
  failed: { text: 'failed', tone: 'bad' },
  described: { text: 'described only', tone: 'accent' },
  blocked: { text: 'blocked', tone: 'bad' },
  denied: { text: 'denied', tone: 'bad' },
};

export function stateWord({ state, decided }: ToolItem): { readonly text: string; readonly tone: Tone } {
  if (state === 'done' && decided?.by === 'person') return { text: 'done, you allowed it', tone: 'good' };
  return STATES[state];
}
