import { describe, expect, it } from 'vitest';
import { MadeFiles } from './made-files.ts';
import type { ObjectState } from './object-state.ts';

const place = { session: 's', folder: '/work' };
const missing: ObjectState = { kind: 'missing' };
const content = (letter: string): ObjectState => ({
  kind: 'file',
  mode: 0o644,
  time: '0',
  size: 1,
  hash: letter.repeat(64),
});

/** Notes actions, each with `PATH: before after` by letters; `-` is no file. */
function noted(...actions: readonly { readonly tool?: string; readonly changes: Record<string, string> }[]) {
  const made = new MadeFiles();
  for (const { tool = 'bash', changes } of actions) {
    const stateOf = (letter = '-') => (letter === '-' ? missing : content(letter));
    made.note(
      {
        session: 's',
        folder: { path: '/work', identity: 'i' },
        ...(tool === 'bash' ? { command: true } : {}),
      },
      Object.entries(changes).map(([path, letters]) => {
        const [before, after] = letters.split(' ');
        return { path, before: stateOf(before), after: stateOf(after) };
      }),
    );
  }
  return (path: string, letter: string) => made.has(place, path, letter.repeat(64));
}

describe('a file that commands of a session made [B2]', () => {
  it('is one that was not there before, with the content they left', () => {
    const isMade = noted({ changes: { new: '- a', old: 'b c' } }, { changes: { new: 'a d' } });
    expect([isMade('new', 'd'), isMade('new', 'a'), isMade('old', 'c')]).toEqual([true, false, false]);
  });

  it('is none once a person or another tool wrote it', () => {
    const isMade = noted(
      { changes: { a: '- a', b: '- b' } },
      { tool: 'write', changes: { a: 'a c' } },
      { changes: { b: 'x y' } },
    );
    expect([isMade('a', 'c'), isMade('a', 'a'), isMade('b', 'y')]).toEqual([false, false, false]);
  });

  it('is none with a content that was in a file of a person, before or after it was copied', () => {
    const moved = noted({ changes: { old: 'p -', new: '- p' } });
    expect(moved('new', 'p')).toBe(false);
    const copied = noted({ changes: { copy: '- p' } }, { changes: { old: 'p -' } });
    expect(copied('copy', 'p')).toBe(false);
  });

  it('belongs to its session and folder alone', () => {
    const made = new MadeFiles();
    const snapshot = { session: 's', folder: { path: '/work', identity: 'i' }, command: true } as const;
    made.note(snapshot, [{ path: 'a', before: missing, after: content('a') }]);
    expect(made.has({ ...place, session: 't' }, 'a', 'a'.repeat(64))).toBe(false);
    expect(made.has({ ...place, folder: '/other' }, 'a', 'a'.repeat(64))).toBe(false);
  });
});
