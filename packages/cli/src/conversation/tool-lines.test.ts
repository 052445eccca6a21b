import { PassThrough } from 'node:stream';
import type { EventBody, SessionEvent } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { Output } from '../output/output.ts';
import { ToolLines } from './tool-lines.ts';

const event = (body: EventBody): SessionEvent => ({ seq: 1, time: '', session: 's', turn: 't', ...body });

function shown(
  effects: { kept: boolean; created: number; changed: number; deleted: number },
  isError = false,
  text = 'one\ntwo',
) {
  const stream = new PassThrough({ encoding: 'utf8' });
  const lines = new ToolLines(new Output(stream, {}), { diffs: false });
  const ids = { action: 'a', call: 'c', hash: 'h' };
  lines.show(event({ type: 'action_completed', ...ids, success: !isError, summary: '', effects }));
  lines.show(event({ type: 'tool_output', call: 'c', tool: 'bash', text, isError }));
  return String(stream.read());
}

describe('the line of a command', () => {
  it('says what it changed, as the engine counted it', () => {
    expect(shown({ kept: true, created: 1, changed: 0, deleted: 2 })).toBe(
      '✓ bash (files: 1 created, 2 deleted) 2 lines\n',
    );
  });

  it('says that nothing of it was kept', () => {
    expect(shown({ kept: false, created: 1, changed: 3, deleted: 0 }, true)).toMatch(
      /^✗ bash \(files: 1 created, 3 changed; none of it kept\): /,
    );
  });

  it('says nothing of changes where there are none', () => {
    expect(shown({ kept: true, created: 0, changed: 0, deleted: 0 })).toBe('✓ bash 2 lines\n');
  });

  it('shows the last lines of a failure, how it ended and what Bulkhead says of it', () => {
    const output = Array.from({ length: 14 }, (_, at) => `line ${at}`).join('\n');
    const none = { kept: true, created: 0, changed: 0, deleted: 0 };
    const lines = shown(none, true, `${output}\n[exit code 1]\n[it has no network]\n`).split('\n');
    expect(lines.slice(0, 3)).toEqual(['✗ bash: exit code 1', '  … 2 earlier lines', '  │ line 2']);
    expect(lines.slice(-3)).toEqual(['  │ line 13', '  it has no network', '']);
    expect(shown(none, true, 'no such file\n[exit code 2]')).toBe('✗ bash: exit code 2: no such file\n');
  });
});
