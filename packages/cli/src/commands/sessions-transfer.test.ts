import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { ExportFormat } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { ATTACK, INERT, SessionsStage } from '../testing/sessions-stage.ts';

describe('sessions that leave and come', () => {
  it('exports to standard output as it is, and made harmless on a terminal', async () => {
    await using stage = await SessionsStage.open();
    const whole = `{"line":1}\n{"line":"${ATTACK}"}\n`;
    expect(await stage.call('export', 'root')).toEqual({ code: 0, out: whole, err: '' });
    expect((await stage.see('export', 'root', '--format', 'html').end).out).toBe(
      whole.replace(ATTACK, INERT),
    );
    expect(stage.asked.map(([, request]) => request)).toMatchObject([
      { format: ExportFormat.JSONL },
      { format: ExportFormat.HTML },
    ]);
  });

  it('exports to a file of the owner alone, and never over another', async () => {
    await using stage = await SessionsStage.open();
    expect((await stage.call('export', 'root', '--output', 'a.jsonl')).out).toBe(
      `exported to ${stage.folder}/a.jsonl\n`,
    );
    expect(readFileSync(`${stage.folder}/a.jsonl`, 'utf8')).toBe(`{"line":1}\n{"line":"${ATTACK}"}\n`);
    expect(statSync(`${stage.folder}/a.jsonl`).mode & 0o777).toBe(0o600);
    writeFileSync(`${stage.folder}/b`, 'mine');
    symlinkSync(`${stage.folder}/nowhere`, `${stage.folder}/c`);
    for (const name of ['b', 'c']) {
      expect(await stage.call('export', 'root', '--output', name)).toEqual({
        code: 2,
        out: '',
        err: `bulkhead: ${stage.folder}/${name} already exists. Choose another name, or overwrite it with --force.\n`,
      });
    }
    expect(readFileSync(`${stage.folder}/b`, 'utf8')).toBe('mine');
    expect((await stage.call('export', 'root', '--output', 'b', '--force', '--json')).out).toBe(
      `{"session":"root","format":"jsonl","file":"${stage.folder}/b"}\n`,
    );
    expect(readFileSync(`${stage.folder}/b`, 'utf8')).toContain('{"line":1}');
    expect(readdirSync(stage.folder).toSorted()).toEqual(['a.jsonl', 'b', 'c']);
  });

  it('leaves no file of an export that broke off, nor one where none can be', async () => {
    await using stage = await SessionsStage.open();
    expect(await stage.call('export', 'broken', '--output', 'x')).toMatchObject({ code: 1 });
    expect(await stage.call('export', 'root', '--output', 'no/such/x')).toMatchObject({
      code: 2,
      err: expect.stringContaining("can't be written (ENOENT)"),
    });
    expect(readdirSync(stage.folder)).toEqual([]);
  });

  it('imports into the folder of --cwd', async () => {
    await using stage = await SessionsStage.open();
    expect((await stage.call('import', 'a.jsonl', '--cwd', '/')).out).toBe('imported\n');
    expect((await stage.call('import', '/x/a.jsonl', '--json', '--own')).out).toBe(
      '{"session":"imported"}\n',
    );
    expect(stage.asked).toMatchObject([
      ['import', { path: `${stage.folder}/a.jsonl`, workingFolder: '/', ownWords: false }],
      ['import', { path: '/x/a.jsonl', workingFolder: stage.folder, ownWords: true }],
    ]);
  });

  it('says which rules the file calls pinned, made harmless: they do not count', async () => {
    await using stage = await SessionsStage.open();
    const { out, err } = await stage.see('import', 'pinned.jsonl').end;
    expect(out).toBe('imported\n');
    expect(err).toContain('pinned rules of the file do not apply here');
    expect(err).toContain(`  - be brief\n  - obey ${INERT} now\n`);
    expect(err).not.toContain(ATTACK);
    const json = JSON.parse((await stage.call('import', 'pinned.jsonl', '--json')).out);
    expect(json).toEqual({ session: 'imported', rulesLeftOut: ['be brief', `obey ${ATTACK}\nnow`] });
  });

  it.each([
    ['y', 0],
    ['', 1],
    ['n', 1],
  ])('asks before it deletes; %j exits %i', async (typed, code) => {
    await using stage = await SessionsStage.open();
    const { environment, end: done } = stage.see('delete', 'root', '--with-forks');
    await environment.until('Permanently delete these 3 sessions? [y/N]');
    expect(environment.err()).toContain(`  root  plans ${INERT}, 4 messages\n  fork  (no title)`);
    environment.stdin.write(`${typed}\n`);
    const { code: exit, out } = await done;
    expect(exit).toBe(code);
    expect(out).toBe(code === 0 ? 'deleted leaf\ndeleted fork\ndeleted root\n' : '');
    expect(stage.asked).toHaveLength(code === 0 ? 1 : 0);
  });

  it('does not ask about what can not be done', async () => {
    await using stage = await SessionsStage.open();
    expect(await stage.see('delete', 'root').end).toEqual({
      code: 2,
      out: '',
      err: 'bulkhead: session root has forks: fork, leaf. Delete all of them with --with-forks.\n',
    });
    expect(stage.asked).toEqual([]);
  });

  it('deletes without asking only with --yes', async () => {
    await using stage = await SessionsStage.open();
    expect(await stage.call('delete', 'root')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    });
    expect(stage.asked).toEqual([]);
    expect((await stage.call('delete', 'root', '--yes', '--json')).out).toBe(
      '{"deleted":["leaf","fork","root"]}\n',
    );
    expect(stage.asked).toMatchObject([['delete', { sessionId: 'root', withForks: false }]]);
  });
});
