import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const FLAG = '--insecure-no-sandbox';
const BANNER = '!!! NO SANDBOX: this engine was started with --insecure-no-sandbox.';

const hasStrace = spawnSync('strace', ['-V']).status === 0;
/** Runs the command, and all it starts, as on a kernel that has no Landlock. */
const WITHOUT_LANDLOCK = [
  'strace',
  '-f',
  '-qq',
  '-o',
  '/dev/null',
  '-e',
  'trace=landlock_create_ruleset',
  '-e',
  'inject=landlock_create_ruleset:error=ENOSYS',
];

function engineStarts(): readonly Readonly<Record<string, unknown>>[] {
  const names = readdirSync(stage().layout.audit).filter((name) => name.endsWith('.jsonl'));
  const files = names.map((name) => join(stage().layout.audit, name));
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
  return lines.map((line) => JSON.parse(line)).filter(({ step }) => step === 'ENGINE_START');
}

const ranIn = () => stage().read('who').trim();

describe('on a kernel without Landlock', () => {
  beforeEach((context) => {
    if (!hasStrace) context.skip('strace is not here to take Landlock away');
  });

  it('no engine starts: one line says which box, why, and how to mend it [FT06]', async () => {
    const { code, errors, stdout } = await stage().cli(['run', 'say hi'], { under: WITHOUT_LANDLOCK });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/the box of the agent does not hold .*Landlock.*Linux 5\.13.*doctor/);
    expect(existsSync(stage().layout.socket)).toBe(false);
  });

  it('one starts if a person says so, and tells: standard error, events, audit log, engine log [FT06]', async () => {
    const args = ['run', '--isolated', FLAG, '--json', '--approve', 'allow', 'run `echo $PPID > who`'];
    const { code, stderr, events } = await stage().cli(args, { under: WITHOUT_LANDLOCK });
    expect(code).toBe(0);
    expect(ranIn()).toMatch(/^\d+$/);
    expect(stderr).toContain(BANNER);
    expect(ofType(events, 'agent_start')).toMatchObject([{ sandbox: 'off' }]);
    expect(engineStarts()).toMatchObject([
      { details: { sandbox: 'off', boxes: expect.stringContaining('the box of the agent does not hold') } },
    ]);
    expect(readFileSync(join(stage().layout.logs, 'engine.log'), 'utf8')).toContain('NO SANDBOX');
  });
});

it('the control: with a sandbox no output mentions its absence [FT06]', async () => {
  const { code, stderr, events } = await stage().cli([
    'run',
    '--isolated',
    '--json',
    'run `echo $PPID > who`',
  ]);
  expect(code).toBe(0);
  // Its parent is the first process of the box.
  expect(ranIn()).toBe('1');
  expect(stderr).not.toContain('SANDBOX');
  expect(ofType(events, 'agent_start')[0]).not.toHaveProperty('sandbox');
  expect(engineStarts()).toMatchObject([{ details: { sandbox: 'on' } }]);
});

describe('an engine without a sandbox that runs', () => {
  beforeEach(async () => {
    const { code, stderr } = await stage().cli(['start', '--daemon', FLAG]);
    expect(code).toBe(0);
    expect(stderr).toContain(BANNER);
  });

  it('asks before every command, since what judges them counts on a box [FG9] [B2]', async () => {
    const { code, events } = await stage().cli(['run', '--json', 'run `echo $PPID > who`']);
    expect(code).toBe(3);
    expect(ofType(events, 'shield_verdict')).toMatchObject([{ rule: 'commands/insecure' }]);
    expect(existsSync(join(stage().folder, 'who'))).toBe(false);
  });

  it('is announced to every client that connects later without the flag [FT06]', async () => {
    for (const args of [['run', 'say hi'], ['run', '--json', 'say hi'], ['chat'], ['status']]) {
      const { stderr } = await stage().cli(args, { stdin: '' });
      expect(stderr, args.join(' ')).toContain(BANNER);
    }
    const status = await stage().cli(['status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ sandbox: 'off' });
    const doctor = await stage().cli(['doctor']);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/^FAIL running engine: .*nothing it runs is boxed$/m);
  });

  it('stays one, and says so, when it is started again by its supervisor [FT06]', async () => {
    const { stderr } = await stage().cli(['restart']);
    expect(stderr).toContain(BANNER);
    await stage().killEngine();
    expect((await stage().cli(['run', 'say hi'])).stderr).toContain(BANNER);
    expect(engineStarts().map(({ details }) => details)).toMatchObject(Array(3).fill({ sandbox: 'off' }));
  });

  it('is over when it is stopped: the next one has a sandbox [FT06]', async () => {
    await stage().cli(['stop']);
    const { code, stderr } = await stage().cli(['run', 'run `echo $PPID > who`']);
    expect({ code, ppid: ranIn() }).toEqual({ code: 0, ppid: '1' });
    expect(stderr).not.toContain('SANDBOX');
  });

  it('ends a command and its children when it is cancelled', async () => {
    await stage().model([
      { toolCalls: [{ name: 'bash', args: { command: 'sleep 300 & echo $! > who; wait' } }] },
    ]);
    await stage().cli(['restart']);
    const run = stage().start(['run', '--json', '--approve', 'allow', 'go']);
    await until('the command runs', () => existsSync(join(stage().folder, 'who')) && ranIn() !== '');
    run.signal('SIGINT');
    expect((await run.done()).code).toBe(130);
    await until('its child has ended', () => !existsSync(`/proc/${ranIn()}`));
  });
});

it('can be said in no other way: not in config.yaml, not by a variable [FT06]', async () => {
  for (const key of ['insecureNoSandbox: true', 'insecure-no-sandbox: true', 'sandbox: off']) {
    stage().configure(`${key}\n`);
    const { code, stderr } = await stage().cli(['run', '--isolated', 'say hi']);
    expect({ code, stderr }, key).toEqual({ code: 1, stderr: expect.stringContaining('config.yaml') });
  }
  stage().configure('');
  const env = { BULKHEAD_INSECURE_NO_SANDBOX: '1', INSECURE_NO_SANDBOX: '1' };
  expect((await stage().cli(['run', '--isolated', 'run `echo $PPID > who`'], { env })).code).toBe(0);
  expect(ranIn()).toBe('1');
});
