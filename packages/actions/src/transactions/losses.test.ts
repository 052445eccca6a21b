import { changed, deleted, effectsOf, observed } from '@bulkhead/home/testing';
import type { LostContent } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { judgeEffects } from './judge-effects.ts';
import { type EarlierLosses, lossesOf } from './losses.ts';

const folder = {
  workingFolder: '/project',
  entries: () => 4,
  isGitFolder: () => false,
  hasSettings: () => false,
};
const nothing: EarlierLosses = { count: 0, isMade: () => false };

const lostFile = (path: string, what: LostContent['what'] = 'deleted'): LostContent => ({
  path: Buffer.from(path),
  what,
  count: 1,
  hash: 'ab',
});
const paths = (count: number) => Array.from({ length: count }, (_, index) => `src/${index}`);

function judge(
  lost: readonly LostContent[],
  earlier = nothing,
  changes = paths(200).map((path) => observed(path, deleted)),
) {
  const effects = { ...effectsOf(changes), lost };
  return judgeEffects(effects, folder, lossesOf(effects, earlier));
}

describe('a loss by content [B2] [FG6]', () => {
  it('is what counts: no number of files that went, but of contents that are nowhere', () => {
    expect(judge([])).toEqual({ decision: 'commit' });
    expect(judge(paths(50).map((path) => lostFile(path)))).toEqual({ decision: 'commit' });
    expect(judge(paths(51).map((path) => lostFile(path)))).toMatchObject({
      decision: 'ask',
      rule: 'effects/mass-deletion',
      reason: '51 files would be deleted',
    });
  });

  it('by overwriting counts as much, and so does history', () => {
    const some = paths(30).map((path) => lostFile(path));
    const others = paths(30).map((path) => lostFile(`o/${path}`, 'overwritten'));
    expect(judge([...some, ...others])).toMatchObject({ reason: '60 files would be deleted or overwritten' });
    const history = { path: Buffer.from('.git'), what: 'history', count: 300 } as const;
    expect(judge([history])).toMatchObject({ reason: '300 objects and commits of .git would be lost' });
    expect(judge([{ ...history, count: 50 }])).toEqual({ decision: 'commit' });
  });

  it('of earlier commands of the same answer adds up, but asks only when something more is lost', () => {
    const earlier = { ...nothing, count: 45 };
    expect(
      judge(
        paths(10).map((path) => lostFile(path)),
        earlier,
      ),
    ).toMatchObject({
      reason: '10 files would be deleted, after 45 that earlier commands of this answer lost',
    });
    expect(
      judge(
        paths(5).map((path) => lostFile(path)),
        earlier,
      ),
    ).toEqual({ decision: 'commit' });
    expect(judge([], { ...nothing, count: 500 })).toEqual({ decision: 'commit' });
    const top = ['a', 'b', 'c'];
    const changes = top.map((path) => observed(path, deleted));
    expect(
      judge(
        top.map((path) => lostFile(path)),
        earlier,
        changes,
      ),
    ).toMatchObject({
      reason:
        '3 of the 4 entries of the folder would be deleted, after 45 that earlier commands of this answer lost',
    });
  });

  it('leaves out what commands of the session made, unless no one read it', () => {
    const made = { ...nothing, isMade: () => true };
    expect(
      judge(
        paths(99).map((path) => lostFile(path)),
        made,
      ),
    ).toEqual({ decision: 'commit' });
    const unread = paths(99).map((path) => ({ path: Buffer.from(path), what: 'deleted', count: 1 }) as const);
    expect(judge(unread, made)).toMatchObject({ decision: 'ask' });
  });

  it('is every content that goes if no one looked', () => {
    const effects = effectsOf(paths(51).map((path) => observed(path, { ...changed, wasSize: 5, size: 5 })));
    expect(judgeEffects(effects, folder)).toMatchObject({ reason: '51 files would be overwritten' });
  });

  it('of most of the folder asks, unless its entries only moved', () => {
    const changes = ['a', 'b', 'c'].map((path) => observed(path, deleted));
    expect(
      judge(
        ['a', 'b', 'c'].map((path) => lostFile(path)),
        nothing,
        changes,
      ),
    ).toMatchObject({
      reason: '3 of the 4 entries of the folder would be deleted',
    });
    expect(
      judge(
        ['a', 'b'].map((path) => lostFile(path)),
        nothing,
        changes,
      ),
    ).toEqual({ decision: 'commit' });
  });
});
