import { describe, expect, it } from 'vitest';
import { lastingEffects } from './lasting-effects.ts';

const entry = (action: string, step: string, details: object = {}) => ({
  action,
  tool: 'tool',
  step,
  details,
});
const proposed = (action: string, details: object) => entry(action, 'PROPOSED', { run: 'r', ...details });
const of = (entries: Parameters<typeof lastingEffects>[0]) =>
  lastingEffects(entries, (_action, run) => run === 'r').map(({ id, reason }) => [id, reason]);

describe('effects that can not be undone [FG6]', () => {
  it('is what reached a host, as far as the action began', () => {
    expect(
      of([
        proposed('sent', { hosts: ['example.org', 'example.net'] }),
        proposed('denied', { hosts: ['example.org'] }),
        proposed('local', {}),
        proposed('elsewhere', { run: 'another', hosts: ['example.org'] }),
        ...['sent', 'local', 'elsewhere'].map((id) => entry(id, 'STARTED')),
        entry('denied', 'DENIED'),
      ]),
    ).toEqual([
      ['sent', 'it may have reached example.org, example.net: its effects there can not be undone'],
    ]);
  });

  it.each([
    ['in the background', [proposed('a', { background: true })]],
    [
      'on a folder without an overlay',
      [proposed('a', {}), entry('a', 'EVALUATED', { rule: 'commands/live' })],
    ],
    ['in no box', [proposed('a', {}), entry('a', 'EVALUATED', { rule: 'commands/unboxed' })]],
  ])('is what a command wrote %s', (_where, entries) => {
    expect(of([...entries, entry('a', 'STARTED')])).toEqual([['a', 'its own writes can not be undone']]);
  });

  it('is nothing of a background command whose writes are held back: keeping them is an action of its own [B2]', () => {
    expect(of([proposed('a', { background: true }), entry('a', 'STARTED', { held: true })])).toEqual([]);
  });

  it('is nothing of entries that say nothing of the kind', () => {
    expect(of([entry('a', 'STARTED', { hosts: 'x' }), { ...entry('b', 'STARTED'), details: null }])).toEqual(
      [],
    );
  });
});
