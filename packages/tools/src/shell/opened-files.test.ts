import { describe, expect, it } from 'vitest';
import { lookForOpened } from './opened-files.ts';

const END = { code: 1, signal: null, stopped: undefined } as const;
const asked: string[][] = [];

/** The files that are looked for after a command that opened these. */
async function needed(
  command: string,
  opened: readonly string[],
  end: Parameters<typeof lookForOpened>[1] = END,
) {
  asked.length = 0;
  const offerFiles = async (files: readonly string[]) => {
    asked.push([...files]);
    return { needs: files.map((target) => ({ kind: 'secret-file' as const, target })), refused: [] };
  };
  const transaction = {
    ended: Promise.resolve(0),
    opened,
    effects: Promise.reject(new Error('not asked for')),
    stop: () => {},
    settle: () => Promise.reject(new Error('not asked for')),
  };
  transaction.effects.catch(() => {});
  const { needs } = await lookForOpened({ transaction, offerFiles }, end, command);
  return needs.map(({ target }) => target);
}

describe('lookForOpened', () => {
  const good = { ...END, code: 0 };

  it('finds what a command opened that failed, or that names the file', async () => {
    expect(await needed('npm run dev', ['.env', 'a/.npmrc'])).toEqual(['.env', 'a/.npmrc']);
    expect(await needed('. ./.env; echo "$PORT"', ['.env'], good)).toEqual(['.env']);
    expect(await needed('node --env-file=.env a.js', ['.env', '.npmrc'], good)).toEqual(['.env']);
  });

  it.each([
    ['a command that succeeds without naming it', 'npm test', good],
    ['a command that names another file', 'cat .env.example my.env .env-old x.env', good],
    ['a search without a find', 'grep -r TODO .', END],
    ['a search in a repository', 'git grep -n TODO', END],
    ['a command that was stopped', 'npm run dev', { ...END, stopped: 'timeout' as const }],
  ])('finds nothing for %s', async (_what, command, end) => {
    expect(await needed(command, ['.env'], end)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('takes a name of any characters as it is, and looks through a long text once', async () => {
    for (const name of ['.env.c++', '.env.(', '.env.[a', '.env.(a+)+', '.env.$&']) {
      expect(await needed(`. ./${name}; echo`, [name], good)).toEqual([name]);
      expect(await needed(`echo .env.${'a'.repeat(10_000)}!`, [name], good)).toEqual([]);
    }
    expect(await needed('cat .envx .env.a .env', ['.env'], good)).toEqual(['.env']);
  });

  it('counts a search that failed', async () => {
    expect(await needed('grep -r TODO . missing', ['.env'], { ...END, code: 2 })).toEqual(['.env']);
  });
});
