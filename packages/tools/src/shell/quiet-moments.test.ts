import type { CommandEffects, SettledAs } from '@bulkhead/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { change } from '../testing/scripted-transaction.ts';
import type { EndedDecision } from './ended-command.ts';
import { followQuiet } from './quiet-moments.ts';
import type { LaterChanges } from './started-command.ts';

const info = {
  ...{ id: 'a', action: 'a', sessionId: 's', workingFolder: '/w', command: 'watch', outputPath: '/o' },
  ...{ pid: 1, ended: undefined, remarks: [] },
};
const CHANGED: CommandEffects = { status: 0, changes: [change('made')], problems: [], notes: [] };

let told: string[];
let reached: () => void;
let listed: CommandEffects | undefined;
let answer: SettledAs | Error;
let recovered: 'committed' | 'dropped' | Error;
let decided: EndedDecision | Error;
let enter: (signal: AbortSignal) => Promise<void>;
let end: () => void;

beforeEach(() => {
  told = [];
  listed = CHANGED;
  answer = { type: 'committed' };
  recovered = 'dropped';
  decided = { commit: true, settled: async (kept) => void told.push(`kept: ${kept}`) };
  enter = async () => {};
});

function follow() {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  end = resolve;
  const later: LaterChanges = {
    ended,
    stop: () => {},
    show: async () => {},
    onUnseen: () => {},
    async turn(signal) {
      await enter(signal);
      told.push('turn');
      return { [Symbol.dispose]: () => void told.push('free') };
    },
    list: () => Promise.reject(new Error('not at its end')),
    settle: () => Promise.reject(new Error('not at its end')),
    recover: () => Promise.reject(new Error('not at its end')),
    quiet: {
      onReached: (listener) => {
        reached = listener;
      },
      list: async () => listed,
      async settle(commit) {
        told.push(commit ? 'commit' : 'drop');
        if (!commit) return { type: 'dropped' };
        if (answer instanceof Error) throw answer;
        return answer;
      },
      async recover() {
        told.push('recover');
        if (recovered instanceof Error) throw recovered;
        return recovered;
      },
    },
  };
  const said: string[] = [];
  const moments = followQuiet(later, {
    info: () => info,
    decide: () => async () => {
      if (decided instanceof Error) throw decided;
      return decided;
    },
    say: (clause) => void said.push(clause),
  });
  return { moments, said };
}

/** One quiet moment, settled. @returns what is said of it */
async function moment(): Promise<readonly string[]> {
  const { moments, said } = follow();
  reached();
  for (let tries = 0; tries < 100 && !told.includes('free'); tries += 1) await Promise.resolve();
  await moments?.over();
  return said;
}

const problem = { code: 'changed-meanwhile', path: Buffer.from('made') };

describe('a quiet moment of a background command [B2]', () => {
  it('is kept with the folder held, recorded, and names what is left out', async () => {
    listed = { ...CHANGED, notes: [{ code: 'left-out', path: Buffer.from('theirs') }] };
    expect(await moment()).toEqual([expect.stringContaining('theirs')]);
    expect(told).toEqual(['turn', 'commit', 'kept: true', 'free']);
  });

  it('waits for the end of the command if it needs a question, and says so once', async () => {
    decided = { commit: false, reason: 'a person has to see it' };
    const { moments, said } = follow();
    for (let times = 0; times < 2; times += 1) {
      reached();
      for (let tries = 0; tries < 100 && told.length < 3 * (times + 1); tries += 1) await Promise.resolve();
    }
    await moments?.over();
    expect(said).toEqual([
      'what it has changed by now (1 created) waits for its end: a person has to see it',
    ]);
    expect(told).toEqual(['turn', 'drop', 'free', 'turn', 'drop', 'free']);
  });

  it.each([
    ['nothing has changed', { ...CHANGED, changes: [] }, []],
    ['something can not be kept', { ...CHANGED, problems: [problem] }, [expect.stringContaining('waits')]],
  ])('is dropped unjudged if %s', async (_, effects, said) => {
    listed = effects;
    expect(await moment()).toEqual(said);
    expect(told).toEqual(['turn', 'drop', 'free']);
  });

  it('is left alone if the command writes again', async () => {
    listed = undefined;
    expect(await moment()).toEqual([]);
    expect(told).toEqual(['turn', 'free']);
  });

  it('is recorded as not kept after a conflict, and as recovery finds it after any other answer', async () => {
    answer = { type: 'conflict', problem };
    await moment();
    expect(told).toEqual(['turn', 'commit', 'kept: false', 'free']);
    told = [];
    answer = { type: 'failed', errno: 28, path: Buffer.from('made') };
    await moment();
    expect(told).toEqual(['turn', 'commit', 'recover', 'kept: false', 'free']);
    told = [];
    answer = new Error('the launcher died');
    recovered = 'committed';
    await moment();
    expect(told).toEqual(['turn', 'commit', 'recover', 'kept: true', 'free']);
  });

  it('has no recorded outcome if that can not be found out, and says so [FG4]', async () => {
    answer = { type: 'stuck', problem };
    recovered = new Error('the disk is gone');
    expect(await moment()).toEqual([expect.stringContaining('it is not known whether it is')]);
    expect(told).toEqual(['turn', 'commit', 'recover', 'kept: undefined', 'free']);
  });

  it('is dropped if it can not be judged', async () => {
    decided = new Error('the disk is full');
    expect(await moment()).toEqual([expect.stringContaining('not kept yet: the disk is full')]);
    expect(told).toEqual(['turn', 'drop', 'free']);
  });

  it('holds up no end: it does not wait for the folder any longer', async () => {
    enter = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { moments, said } = follow();
    reached();
    end();
    await moments?.over();
    expect([told, said]).toEqual([[], []]);
  });
});
