import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { raceFolder } from '../testing/racer.ts';
import { ToolBench } from '../testing/tool-bench.ts';

let bench: ToolBench;

function put(path: string, content = 'x\n'): void {
  mkdirSync(join(bench.at(path), '..'), { recursive: true });
  writeFileSync(bench.at(path), content);
}

beforeEach(() => {
  bench = new ToolBench();
  put('src/a.ts', 'const needle = 1;\nother\n');
  put('src/deep/b.ts', 'NEEDLE\n');
  put('src/c.js', 'needle in js\n');
  put('.hidden/d.ts', 'needle hidden\n');
  put('.git/config', 'needle in git\n');
  put('.gitignore', 'ignored/\n*.log\n');
  put('ignored/e.ts', 'needle ignored\n');
  put('out.log', 'needle log\n');
});

afterEach(() => bench[Symbol.dispose]());

describe('find [B2]', () => {
  it('finds by name at any depth, hidden files too, ignored ones and .git not, sorted', async () => {
    expect(await bench.text('find', { pattern: '*.ts' })).toBe('.hidden/d.ts\nsrc/a.ts\nsrc/deep/b.ts');
    expect(await bench.text('find', { pattern: '*.log' })).toBe('no files match');
    expect(await bench.text('find', { pattern: 'config' })).toBe('no files match');
  });

  it('matches paths below the start folder, and gives them below the working folder', async () => {
    expect(await bench.text('find', { pattern: 'src/*.ts' })).toBe('src/a.ts');
    expect(await bench.text('find', { pattern: 'src/**/*.ts' })).toBe('src/a.ts\nsrc/deep/b.ts');
    expect(await bench.text('find', { pattern: '*.{ts,js}', path: 'src' })).toBe(
      'src/a.ts\nsrc/c.js\nsrc/deep/b.ts',
    );
    expect(await bench.text('find', { pattern: 'deep/*', path: `${bench.root}/src` })).toBe('src/deep/b.ts');
  });

  it('caps and says so', async () => {
    expect(await bench.text('find', { pattern: '*', limit: 2 })).toBe(
      '.gitignore\n.hidden/d.ts\n[the first 2 files; narrow the pattern or the path]',
    );
  });

  it('says what is wrong with a pattern or a start', async () => {
    expect(await bench.text('find', { pattern: 'a[' })).toContain('invalid_arguments: the glob is not valid');
    expect(await bench.text('find', { pattern: '*', path: 'src/a.ts' })).toContain('is not a folder');
    expect(await bench.text('find', { pattern: '*', path: '..' })).toContain('blocked');
    expect(await bench.text('find', { pattern: '*', path: 'none' })).toContain('no such file');
  });
});

describe('grep [B2]', () => {
  it('gives matching lines by path, ignored files and .git left out', async () => {
    expect(await bench.text('grep', { pattern: 'needle' })).toBe(
      '.hidden/d.ts:1: needle hidden\nsrc/a.ts:1: const needle = 1;\nsrc/c.js:1: needle in js',
    );
    expect(await bench.text('grep', { pattern: '^need.e$', ignore_case: true })).toBe(
      'src/deep/b.ts:1: NEEDLE',
    );
    expect(await bench.text('grep', { pattern: 'absent' })).toBe('no matches');
  });

  it('narrows by glob, which brings back no ignored file', async () => {
    expect(await bench.text('grep', { pattern: 'needle', glob: '*.js' })).toBe('src/c.js:1: needle in js');
    expect(await bench.text('grep', { pattern: 'needle', glob: 'src/*.ts' })).toBe(
      'src/a.ts:1: const needle = 1;',
    );
    expect(await bench.text('grep', { pattern: 'needle', glob: '*.log' })).toBe('no matches');
    expect(await bench.text('grep', { pattern: 'needle', glob: '{*.log,*.js}' })).toBe(
      'src/c.js:1: needle in js',
    );
  });

  it('searches a folder or one file', async () => {
    expect(await bench.text('grep', { pattern: 'needle', path: 'src' })).toBe(
      'src/a.ts:1: const needle = 1;\nsrc/c.js:1: needle in js',
    );
    expect(await bench.text('grep', { pattern: 'other', path: 'src/a.ts' })).toBe('src/a.ts:2: other');
    expect(await bench.text('grep', { pattern: 'needle', path: 'ignored/e.ts' })).toBe(
      'ignored/e.ts:1: needle ignored',
    );
  });

  it('caps matches and long lines', async () => {
    put('many', 'hit\n'.repeat(50));
    put('long', `${'x'.repeat(5_000)}hit${'y'.repeat(5_000)}\n`);
    const capped = await bench.text('grep', { pattern: 'hit', path: 'many', limit: 3 });
    expect(capped).toBe(
      'many:1: hit\nmany:2: hit\nmany:3: hit\n[the first 3 matches; narrow the pattern, the path or the glob]',
    );
    const long = await bench.text('grep', { pattern: 'hit', path: 'long' });
    expect(long).toBe(`long:1: …${'x'.repeat(100)}hit${'y'.repeat(197)}…`);
  });

  it('takes no pattern, path or glob for an option', async () => {
    put('-e', 'nothing\n');
    put('flag', '--pre=/bin/false -f /etc/passwd\n');
    expect(await bench.text('grep', { pattern: '--pre=/bin/false' })).toContain('flag:1: --pre');
    expect(await bench.text('grep', { pattern: '-f' })).toContain('flag:1: ');
    expect(await bench.text('grep', { pattern: '--help', glob: '--files' })).toBe('no matches');
    expect(await bench.text('grep', { pattern: 'nothing', path: '-e' })).toBe('-e:1: nothing');
  });

  it('runs no program and takes no settings from the folder or the environment [FT20]', async () => {
    writeFileSync(bench.at('pre.sh'), `#!/bin/sh\ntouch ${bench.at('ran')}\n`, { mode: 0o755 });
    put('.ripgreprc', `--pre=${bench.at('pre.sh')}\n`);
    const saved = process.env['RIPGREP_CONFIG_PATH'];
    process.env['RIPGREP_CONFIG_PATH'] = bench.at('.ripgreprc');
    try {
      await bench.text('grep', { pattern: 'needle' });
    } finally {
      if (saved === undefined) delete process.env['RIPGREP_CONFIG_PATH'];
      else process.env['RIPGREP_CONFIG_PATH'] = saved;
    }
    expect(await bench.text('find', { pattern: 'ran' })).toBe('no files match');
  });

  it('tells what is wrong with a regex, and survives one made to be slow', async () => {
    expect(await bench.text('grep', { pattern: '(a' })).toContain('unclosed group');
    put('evil', `${'a'.repeat(50_000)}!\n`);
    expect(await bench.text('grep', { pattern: '(a+)+$', path: 'evil' })).toBe('no matches');
  });

  it('follows no link and does not wait for a pipe [FT10]', async () => {
    writeFileSync(join(bench.outside, 'secret.ts'), 'needle outside\n');
    symlinkSync(bench.outside, bench.at('link'));
    symlinkSync(join(bench.outside, 'secret.ts'), bench.at('file.ts'));
    execFileSync('mkfifo', [bench.at('pipe')]);
    expect(await bench.text('grep', { pattern: 'needle' })).not.toContain('outside');
    expect(await bench.text('grep', { pattern: 'needle', path: 'link' })).toContain('blocked');
    expect(await bench.text('find', { pattern: '*' })).not.toContain('secret');
  });

  it('still answers when some folders cannot be read, and skips binary files', async () => {
    put('bin', 'needle\0binary\n');
    mkdirSync(bench.at('locked'), { mode: 0o000 });
    expect(await bench.text('grep', { pattern: 'needle', glob: '{*.js,bin}' })).toBe(
      'src/c.js:1: needle in js',
    );
  });

  it('stops when it is cancelled', async () => {
    for (let index = 0; index < 200; index += 1) put(`many/${index}`, 'needle\n'.repeat(2_000));
    const controller = new AbortController();
    const searching = bench.run('grep', { pattern: 'absent|needle', glob: 'none/*' }, controller.signal);
    setTimeout(() => controller.abort(), 5);
    expect(await searching).toEqual({ text: 'cancelled: cancelled', isError: true });
    expect((await bench.run('grep', { pattern: 'x' }, AbortSignal.abort())).isError).toBe(true);
  });
});

describe('searches and credentials [A2]', () => {
  const left = (count: number) =>
    count === 1
      ? '[1 file that may hold credentials is left out]'
      : `[${count} files that may hold credentials are left out]`;

  beforeEach(() => {
    for (const name of ['.env', 'deep/ID_RSA', 'server.pem', '.aws/credentials', '.e\u200bnv', 'a/．ssh/x']) {
      put(name, 'SECRET=s3cr3t\n');
    }
    put('plain.txt', 'SECRET=public\n');
    put('.env.example', 'SECRET=\n');
  });

  it('are left out of an answer, however their names are written', async () => {
    expect(await bench.text('grep', { pattern: 'SECRET' })).toBe(
      `.env.example:1: SECRET=\nplain.txt:1: SECRET=public\n${left(6)}`,
    );
  });

  it('tell nothing by the number of those left out: it does not depend on the pattern', async () => {
    for (const pattern of ['s3cr3t', 'absent', 'SECRET=s']) {
      expect(await bench.text('grep', { pattern })).toBe(`no matches\n${left(6)}`);
    }
  });

  it('come back by no glob and no path', async () => {
    expect(await bench.text('grep', { pattern: 's3', glob: '*.pem' })).toBe(`no matches\n${left(1)}`);
    expect(await bench.text('grep', { pattern: 's3', glob: '.aws/*' })).toBe(`no matches\n${left(1)}`);
    expect(await bench.text('grep', { pattern: 's3', glob: '*.ts' })).toBe('no matches');
    expect(await bench.text('grep', { pattern: 's3', path: 'deep' })).toBe(`no matches\n${left(1)}`);
    symlinkSync('.aws', bench.at('cfg'));
    symlinkSync('server.pem', bench.at('notes'));
    for (const path of [
      '.env',
      'server.pem',
      '.aws',
      '.aws/credentials',
      'cfg',
      'cfg/credentials',
      'notes',
    ]) {
      expect(await bench.text('grep', { pattern: 's3', path })).toBe(
        `blocked: ${path} may hold credentials: it is neither read nor written`,
      );
    }
  });

  it('show their names in find and ls', async () => {
    expect(await bench.text('find', { pattern: '{.env,*.pem,credentials}' })).toBe(
      '.aws/credentials\n.env\nserver.pem',
    );
    expect(await bench.text('ls', {})).toContain(' .env\n');
    expect(await bench.text('ls', { path: '.aws' })).toContain(' credentials\n');
  });

  it('lose no race against a folder that becomes a link to credentials and back', async () => {
    for (let index = 0; index < 200; index += 1) {
      put(`sub/${index}`, 'SECRET=public\n');
      put(`.aws/${index}`, 'SECRET=s3cr3t\n');
    }
    const met = await raceFolder(bench.root, '.aws', ['public', 'nothing'], async () => {
      const text = await bench.text('grep', { pattern: 'SECRET=.*', limit: 1_000 });
      if (text.includes('s3cr3t')) return 'leaked';
      return /^sub/m.test(text) ? 'public' : 'nothing';
    });
    expect([...met.keys()].filter((outcome) => outcome !== 'nothing')).toEqual(['public']);
  });
});

describe('a grep over many files [B2]', () => {
  it('keeps the order of paths and the limit across them', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `many/${String(index).padStart(3, '0')}`);
    for (const name of names) put(name, `mark ${name}\nmark again\n`);
    const lines = names.flatMap((name) => [`${name}:1: mark ${name}`, `${name}:2: mark again`]);
    expect(await bench.text('grep', { pattern: 'mark', limit: 1_000 })).toBe(lines.join('\n'));
    expect(await bench.text('grep', { pattern: 'mark', limit: 131 })).toBe(
      `${lines.slice(0, 131).join('\n')}\n[the first 131 matches; narrow the pattern, the path or the glob]`,
    );
  });

  it('searches the read-only root by its whole name', async () => {
    writeFileSync(join(bench.outputs, 'action.txt'), 'mark in an output\n');
    const path = bench.outputs;
    expect(await bench.text('grep', { pattern: 'mark', path })).toBe(
      `${path}/action.txt:1: mark in an output`,
    );
    expect(await bench.text('grep', { pattern: 'mark', path: `${path}/action.txt` })).toBe(
      `${path}/action.txt:1: mark in an output`,
    );
    expect(await bench.text('read', { path: `${path}/action.txt` })).toBe('mark in an output');
    expect(await bench.text('write', { path: `${path}/x`, content: '' })).toContain('blocked');
  });
});
