import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import type { Stage } from './support/stage.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useSharedStage();

interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Makes the calls, ten in an answer, with a person who allows whatever is asked. */
async function run(at: Stage, calls: readonly Call[], env: Readonly<Record<string, string>> = {}) {
  const rounds = Array.from({ length: Math.ceil(calls.length / 10) }, (_, round) => ({
    toolCalls: calls.slice(round * 10, round * 10 + 10),
  }));
  await at.model([...rounds, { text: 'done' }]);
  const { events } = await at.cli(['run', '--json', '--approve', 'allow', 'go'], { env });
  return {
    texts: ofType(events, 'tool_output').map(({ text }) => text),
    ended: ofType(events, 'action_completed').map(({ success }) => success),
  };
}

/** A program that leaves a mark outside the working folder. */
function marking(at: Stage, name: string): { readonly path: string; readonly mark: string } {
  const folder = join(at.userHome, 'programs');
  mkdirSync(folder, { recursive: true });
  const mark = join(at.userHome, `ran-${name}`);
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho ran >> ${mark}\ncat\n`);
  chmodSync(path, 0o755);
  return { path, mark };
}

describe('a repository that makes git run programs', () => {
  it('makes no process of ours run one, nor git itself [FT19]', async () => {
    const { path, mark } = marking(stage(), 'evil');
    const { mark: gitMark } = marking(stage(), 'git');
    execFileSync('git', ['init', '-q', stage().folder]);
    stage().write('a.txt', 'alpha\n');
    stage().write('.gitattributes', '* diff=evil filter=evil merge=evil\n');
    stage().write('.git/hooks/post-index-change', `#!/bin/sh\n${path} </dev/null\n`);
    chmodSync(join(stage().folder, '.git/hooks/post-index-change'), 0o755);
    const settings = [
      'core.fsmonitor',
      'diff.evil.textconv',
      'diff.external',
      'filter.evil.clean',
      'filter.evil.smudge',
    ];
    for (const name of [...settings, 'core.pager', 'core.sshCommand', 'core.editor', 'credential.helper'])
      execFileSync('git', ['-C', stage().folder, 'config', name, path]);
    execFileSync('git', ['-C', stage().folder, 'config', 'remote.origin.url', `ext::${path}`]);
    // The control: git runs the program when it is started there.
    execFileSync('git', ['-C', stage().folder, 'add', 'a.txt'], { stdio: 'ignore' });
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
    const calls = [
      { name: 'ls', args: { path: '.' } },
      { name: 'read', args: { path: 'a.txt' } },
      { name: 'grep', args: { pattern: 'alpha' } },
      { name: 'find', args: { pattern: '*.txt' } },
      { name: 'edit', args: { path: 'a.txt', edits: [{ old: 'alpha', new: 'beta' }] } },
      { name: 'write', args: { path: 'b.txt', content: 'b' } },
      // In its box git obeys, and the program is not there.
      bash('git status --short; git diff; git add -A; git log; echo c > c.txt'),
    ];
    const { ended, texts } = await run(stage(), calls, {
      PATH: `${join(stage().userHome, 'programs')}:${process.env['PATH'] ?? ''}`,
    });
    expect(ended.slice(0, 4), texts.join('\n---\n')).toEqual([true, true, true, true]);
    expect(ended.at(-1)).toBe(true);
    expect([stage().read('b.txt'), stage().read('c.txt')]).toEqual(['b', 'c\n']);
    expect([existsSync(mark), existsSync(gitMark)]).toEqual([false, false]);
  });
});

describe('variables that load code or lead programs elsewhere', () => {
  const SMUGGLED = {
    LD_LIBRARY_PATH: '/evil',
    LD_AUDIT: '/evil.so',
    BASH_ENV: '/evil.sh',
    ENV: '/evil.sh',
    PROMPT_COMMAND: 'evil',
    SHELLOPTS: 'xtrace',
    GIT_SSH_COMMAND: '/evil',
    GIT_EXTERNAL_DIFF: '/evil',
    GIT_CONFIG_GLOBAL: '/evil',
    PYTHONPATH: '/evil',
    PYTHONSTARTUP: '/evil.py',
    PERL5OPT: '-Mevil',
    RUBYOPT: '-revil',
    NODE_PATH: '/evil',
    HTTPS_PROXY: 'http://evil.example:1',
    all_proxy: 'http://evil.example:1',
    JAVA_TOOL_OPTIONS: '-javaagent:/evil',
    'BASH_FUNC_ls%%': '() { evil; }',
    EVIL_CANARY: 'evil',
  };

  it('reach no command: not from the engine’s environment, files of the folder, nor arguments [FT20]', async () => {
    for (const name of ['.bashrc', '.bash_profile', '.profile', '.envrc'])
      stage().write(name, 'export EVIL_CANARY=evil\n');
    stage().write('.env', 'EVIL_CANARY=evil\nLD_PRELOAD=/evil.so\n');
    const calls = [
      bash('env -0 | tr "\\0\\n" "\\n " | sort; type ls'),
      { name: 'bash', args: { command: 'env', env: { LD_PRELOAD: '/evil.so' } } },
      { name: 'bash', args: { command: 'env', environment: ['LD_PRELOAD=/evil.so'] } },
    ];
    const { texts, ended } = await run(stage(), calls, SMUGGLED);
    expect(ended).toEqual([true, false, false]);
    const variables = (texts[0] ?? '').split('\n').flatMap((line) => /^[A-Z_]+=.*/i.exec(line)?.[0] ?? []);
    const proxies = variables.filter((variable) => /^(?:all|https?|no)_proxy=/i.test(variable));
    expect(proxies).toHaveLength(8);
    // They lead to the session's own gate, inside the box.
    for (const proxy of proxies)
      expect(proxy).toMatch(/=(?:http:\/\/\S+@127\.[\d.]+:\d+|localhost,127\.0\.0\.1,::1)$/);
    const names = variables.map((variable) => variable.slice(0, variable.indexOf('=')));
    // A shell also sets PWD, SHLVL and _ on its own.
    expect(names.filter((name) => !/_proxy$/i.test(name)).toSorted()).toEqual([
      'GIT_OPTIONAL_LOCKS',
      'HOME',
      'LANG',
      'LOGNAME',
      'PATH',
      'PWD',
      'SHLVL',
      'TERM',
      'USER',
      '_',
    ]);
    expect(texts.join('\n')).not.toMatch(/evil(?!_|ronment)/i);
  });
});

describe('a folder that the model names', () => {
  it('is never one outside the working folder, for any tool [FT21]', async () => {
    writeFileSync(join(stage().userHome, 'outside-9c.txt'), 'secret-7f');
    symlinkSync(stage().userHome, join(stage().folder, 'link'));
    stage().write('inside.txt', 'in');
    const places = [
      '/',
      '~',
      '..',
      '../user',
      stage().userHome,
      'link',
      'link/.',
      `${stage().folder}/../user`,
    ];
    const calls = places.flatMap((path) => [
      { name: 'ls', args: { path } },
      { name: 'find', args: { path, pattern: '*.txt' } },
      { name: 'grep', args: { path, pattern: 'secret-' } },
    ]);
    const asked = ['cwd', 'root', 'working_folder', 'workingFolder'].map((name) => ({
      name: 'bash',
      args: { command: 'ls', [name]: stage().userHome },
    }));
    const climbing = bash(
      `cd ${stage().userHome} && ls; ls link/ ~ ..; cat link/outside-9c.txt ../user/outside-9c.txt`,
    );
    const { texts, ended } = await run(stage(), [...calls, ...asked, climbing]);
    expect(ended).toHaveLength(calls.length + asked.length + 1);
    expect(ended.filter((success) => success)).toEqual([]);
    expect(texts.slice(0, -1).join('\n')).not.toContain('outside-9c');
    expect(texts.join('\n')).not.toContain('secret-7f');
    expect(texts.join('\n')).not.toContain('inside.txt');
  });
});
