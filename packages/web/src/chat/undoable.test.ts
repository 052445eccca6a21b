import type { EndItem, ItemList, ToolItem, TranscriptItem } from '@bulkhead/protocol/transcript';
import { describe, expect, it } from 'vitest';
import { answerMayBeUndone, mayBeUndone } from './undoable.ts';

const place = (index: number, run: string) => ({ index, run, time: '2026-01-01T00:00:00Z' });

function tool(fields: Partial<ToolItem>, index = 0, run = 'r1'): ToolItem {
  return {
    kind: 'tool',
    ...place(index, run),
    call: 'c',
    tool: 'edit',
    arguments: {},
    state: 'done',
    action: 'a',
    verdicts: [],
    output: '',
    outputCut: false,
    ...fields,
  };
}

function end(index: number, run = 'r1', waited = false): EndItem {
  return {
    kind: 'end',
    ...place(index, run),
    message: 'm',
    outcome: 'completed',
    waited,
    usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
    cost: 0,
    rounds: 1,
    thoughts: [],
  };
}

function listOf(...tail: TranscriptItem[]): ItemList<TranscriptItem> {
  return { length: tail.length, pages: [], tail };
}

const effects = { created: 0, changed: 1, deleted: 0, kept: true };

describe('undoable items', () => {
  it.each([
    ['a change with a diff', { diff: '+x' }, true],
    ['a command that changed something, and was kept', { tool: 'bash', effects }, true],
    ['a command of which nothing is known', { tool: 'bash' }, true],
    ['a command that was not kept', { tool: 'bash', effects: { ...effects, kept: false } }, false],
    ['a command that changed nothing', { tool: 'bash', effects: { ...effects, changed: 0 } }, false],
    ['a look', { tool: 'read' }, false],
    ['a change that failed', { diff: '+x', state: 'failed' }, false],
    ['a command that failed, and was kept', { tool: 'bash', state: 'failed', effects }, true],
    ['a command that was denied', { tool: 'bash', state: 'denied', effects }, false],
  ] as const)('tells of %s [I3]', (_what, fields, expected) => {
    expect(mayBeUndone(tool(fields))).toBe(expected);
  });

  it('is of the answer that ended here, not of one before it [I3]', () => {
    const items = listOf(
      tool({ diff: '+x' }, 0, 'r1'),
      end(1, 'r1'),
      tool({ tool: 'read' }, 2, 'r2'),
      end(3, 'r2'),
    );
    expect(answerMayBeUndone(items, end(1, 'r1'))).toBe(true);
    expect(answerMayBeUndone(items, end(3, 'r2'))).toBe(false);
  });

  it('is found behind a message that was taken back while it waited [I3]', () => {
    const items = listOf(tool({ diff: '+x' }, 0), end(1, '', true), end(2));
    expect(answerMayBeUndone(items, end(2))).toBe(true);
    expect(answerMayBeUndone(items, end(1, '', true))).toBe(false);
  });
});
