import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

/** One run with one tool call; the id of its action. */
async function act(): Promise<string> {
  stage().write('note.txt', 'A line to read.\n');
  await stage().model([{ toolCalls: [{ name: 'read', args: { path: 'note.txt' } }] }, { text: 'done' }]);
  expect((await stage().cli(['run', '--isolated', 'read it'])).code).toBe(0);
  const { stdout } = await stage().cli(['audit', 'list', '--json']);
  const entries = stdout
    .trimEnd()
    .split('\n')
    .map((line): { readonly action: string; readonly step: string } => JSON.parse(line));
  return entries.find(({ step }) => step === 'EXECUTED')?.action ?? '';
}

const log = () => join(stage().layout.audit, 'audit-000001.jsonl');
const json = async (...args: readonly string[]) => {
  const { code, stdout } = await stage().cli(['audit', ...args, '--json']);
  return { code, found: JSON.parse(stdout) };
};

describe('bulkhead audit', () => {
  it('verifies while an engine runs and after it, and names the first bad entry [U1]', async () => {
    await act();
    expect(await stage().cli(['audit', 'verify'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok {2}\d+ entries\n/),
    });
    await stage().cli(['stop']);
    const { code, found } = await json('verify');
    expect({ code, to: found.signed.to }).toEqual({ code: 0, to: found.entries });
    const lines = readFileSync(log(), 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"tool":"read"'));
    const n = at + 1;
    const forged = (lines[at] ?? '').replace('"tool":"read"', '"tool":"ls"');
    writeFileSync(log(), lines.with(at, forged).join('\n'));
    expect(await json('verify')).toMatchObject({
      code: 1,
      found: { ok: false, entries: at, firstBad: { n, line: n } },
    });
    expect((await stage().cli(['audit', 'verify'])).stdout).toContain(
      `BAD  entry ${n}: audit-000001.jsonl, line ${n}: `,
    );
    // Nothing runs on a log that is not whole.
    expect((await stage().cli(['run', '--isolated', 'go on'])).code).not.toBe(0);
  });

  it('tells an action from end to end, with its reason while an engine runs [A2] [U1]', async () => {
    const action = await act();
    await stage().cli(['start', '--daemon']);
    const { code, stdout } = await stage().cli(['why']);
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 0,
      lines: [
        'read note.txt',
        expect.stringContaining(`action ${action} of session `),
        expect.stringMatching(/proposed by the model, for owner over cli; it would read .*note\.txt$/),
        expect.stringMatching(/judged: allow by \S+ \(tier \d\)$/),
        expect.stringMatching(/^ {6}\S/),
        expect.stringMatching(/begun$/),
        expect.stringMatching(/done; its result has \d+ bytes$/),
        '',
      ],
    });
    await stage().cli(['stop']);
    const told = await stage().cli(['why', action.slice(-8), '--json']);
    expect(JSON.parse(told.stdout)).toMatchObject({
      action,
      tool: 'read',
      call: '',
      steps: [{ step: 'PROPOSED' }, { step: 'EVALUATED' }, { step: 'STARTED' }, { step: 'EXECUTED' }],
    });
    expect(await stage().cli(['why', 'nothing-like-it'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no action nothing-like-it'),
    });
  });

  it('has another key sign, which both verifiers follow, also after a restart [U1]', async () => {
    const action = await act();
    const { from, to } = (await json('rotate-key')).found;
    expect(await json('verify')).toMatchObject({ code: 0, found: { signed: { key: to } } });
    await stage().cli(['stop']);
    await act();
    await stage().cli(['stop']);
    const target = join(stage().userHome, 'export');
    expect((await stage().cli(['audit', 'export', '--output', target])).code).toBe(0);
    for (const key of [from, to]) {
      expect((await json('verify', '--key', key)).found).toMatchObject({ ok: true, signed: { key: to } });
      expect(spawnSync(process.execPath, [join(target, 'verify.mjs'), '--key', key]).status).toBe(0);
    }
    expect((await stage().cli(['audit', 'list', '--action', action])).stdout).toContain('EXECUTED');
  });

  it('exports what a program without any part of Bulkhead verifies [U1]', async () => {
    const action = await act();
    await stage().cli(['stop']);
    const target = join(stage().userHome, 'export');
    expect((await stage().cli(['audit', 'export', '--output', target])).code).toBe(0);
    expect(existsSync(join(target, 'checkpoint-key.pem'))).toBe(false);
    const verify = (...args: readonly string[]) =>
      spawnSync(process.execPath, [join(target, 'verify.mjs'), ...args], { encoding: 'utf8' });
    expect(verify()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ok: /) });
    const proof = join(target, 'proof.json');
    expect((await stage().cli(['audit', 'proof', action, '--output', proof])).code).toBe(0);
    expect(verify('--proof', proof).stdout).toMatch(new RegExp(`^ok: 4 entries of action ${action}`));
    writeFileSync(proof, readFileSync(proof, 'utf8').replace('EXECUTED', 'REFUSED'));
    expect(verify('--proof', proof)).toMatchObject({ status: 1, stdout: expect.stringMatching(/^BAD: /) });
  });
});

describe('a witness of the audit log', () => {
  const witness = () => join(stage().userHome, 'witness');
  const run = (text: string) => stage().cli(['run', '--isolated', text]);
  const witnessed = (more = '') =>
    stage().model([{ text: 'one' }, { text: 'two' }, { text: 'three' }], {
      config: `audit: { witnesses: [{ file: '${witness()}' }]${more} }`,
    });

  it('tells of a log that was put back to an older state, and lets no engine work on it [FT85] [FG7]', async () => {
    await witnessed();
    expect((await run('one')).code).toBe(0);
    await stage().cli(['stop']);
    const backup = join(stage().userHome, 'backup');
    cpSync(stage().layout.audit, backup, { recursive: true });
    expect((await run('two')).code).toBe(0);
    await stage().cli(['stop']);
    expect((await stage().cli(['audit', 'verify', '--witness', witness()])).code).toBe(0);
    rmSync(stage().layout.audit, { recursive: true });
    cpSync(backup, stage().layout.audit, { recursive: true });
    expect((await stage().cli(['audit', 'verify'])).code).toBe(0);
    const { code, stdout } = await stage().cli(['audit', 'verify', '--witness', witness()]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/it was signed over \d+ entries/),
    });
    const refused = await run('three');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/saw another audit log than this one/);
  });

  it('that can not be written to stops all work if that is to halt [FT99]', async () => {
    await witnessed(', onWitnessProblem: halt');
    mkdirSync(witness());
    const { code, stderr } = await run('one');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/does not keep up/);
  });
});

describe('the content of the audit log', () => {
  const CANARY = 'canary-5f1c7e9b';

  it('is what was done, and never what was said, written, read, run or answered [FT87]', async () => {
    stage().write('secret.txt', `${CANARY}\n`);
    await stage().model([
      {
        text: CANARY,
        toolCalls: [
          { name: 'read', args: { path: 'secret.txt' } },
          { name: 'write', args: { path: 'copy.txt', content: `${CANARY}\n` } },
          { name: 'edit', args: { path: 'copy.txt', edits: [{ oldText: `${CANARY}x`, newText: CANARY }] } },
          { name: 'bash', args: { command: `echo ${CANARY}; exit 3` } },
          { name: 'grep', args: { pattern: `(${CANARY}` } },
        ],
      },
      { text: CANARY },
    ]);
    expect((await stage().cli(['run', '--isolated', '--approve', 'allow', `say ${CANARY}`])).code).toBe(0);
    const text = readFileSync(log(), 'utf8');
    expect(
      text
        .split('\n')
        .map((line) => (line.includes(CANARY) ? line : ''))
        .join(''),
    ).toBe('');
    for (const tool of ['read', 'write', 'edit', 'bash', 'grep']) expect(text).toContain(`"tool":"${tool}"`);
  });
});
