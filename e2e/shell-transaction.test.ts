import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { ApprovalAnswer, ApprovalMode } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { auditSteps } from './support/audit-steps.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import type { Stage } from './support/stage.ts';
import { Talk } from './support/talk.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useSharedStage();

const AUTHOR = '-c user.name=n -c user.email=e@example.org';

/** Runs commands, one call each, with no one to ask unless `args` say so. */
async function run(at: Stage, commands: readonly string[], ...args: readonly string[]) {
  return await runUnder(at, '', commands, args);
}

/** As `run`, with more of `config.yaml`. */
async function runUnder(
  at: Stage,
  config: string,
  commands: readonly string[],
  args: readonly string[] = [],
) {
  const calls = commands.map((command) => ({ toolCalls: [bash(command)] }));
  await at.model([...calls, { text: 'done' }], { config });
  const { code, events } = await at.cli(['run', '--json', ...args, 'go']);
  expect(grammarProblems(events)).toEqual([]);
  const outputs = ofType(events, 'tool_output').map(({ text }) => text);
  const kept = ofType(events, 'action_completed').map(({ effects }) => effects?.kept);
  return { code, events, outputs, kept };
}

describe('a command transaction', () => {
  it('is kept when it ends, shown, and nothing of the rest is left [B2] [FT90]', async () => {
    stage().write('old.txt', 'old');
    stage().write('gone/a.txt', 'a');
    const { code, events, outputs } = await run(stage(), [
      'echo new > new.txt; echo more >> old.txt; rm -r gone; mkdir made; ln -s ../new.txt made/link; chmod 700 old.txt',
    ]);
    expect(code).toBe(0);
    expect(outputs[0]).toBe(
      [
        '[files: 3 created, 1 changed, 2 deleted]',
        '- gone/ (1 inside)',
        '+ made/ (1 inside)',
        '+ new.txt',
        '~ old.txt (executable)',
      ].join('\n'),
    );
    expect(stage().read('old.txt')).toBe('oldmore\n');
    expect(statSync(join(stage().folder, 'old.txt')).mode & 0o777).toBe(0o700);
    expect(readlinkSync(join(stage().folder, 'made/link'))).toBe('../new.txt');
    expect(readdirSync(stage().folder).toSorted()).toEqual(['made', 'new.txt', 'old.txt']);
    expect(ofType(events, 'action_completed')).toMatchObject([
      { success: true, effects: { kept: true, created: 3, changed: 1, deleted: 2 } },
    ]);
    // Only the journal stays.
    const [entry = ''] = readdirSync(stage().layout.scratch).filter((name) => !name.startsWith('.'));
    expect(readdirSync(join(stage().layout.scratch, entry, 'box'))).toEqual(['journal']);
    // Its mark (packages/sandbox/launcher/plan.h): committed.
    expect(readFileSync(join(stage().layout.scratch, entry, 'box/journal')).readUInt32LE(8)).toBe(2);
  });

  it('is kept when the command fails, and not when it is stopped at its time limit [B2]', async () => {
    // It would go on in the background without them.
    const hosts = ['example.com'];
    await stage().model([
      { toolCalls: [bash('echo a > a; exit 3')] },
      {
        toolCalls: [{ name: 'bash', args: { command: 'echo b > b; sleep 600', timeout_seconds: 1, hosts } }],
      },
      { text: 'done' },
    ]);
    const { events } = await stage().cli(['run', '--json', '--approve', 'allow', 'go']);
    const [failed, stopped] = ofType(events, 'tool_output');
    expect(failed?.text).toContain('[exit code 3]\n[files: 1 created]');
    expect(stopped?.text).toContain('[nothing it changed was kept]');
    expect(readdirSync(stage().folder)).toEqual(['a']);
  });

  it('lets ordinary work with git pass, and asks about settings that run programs [B2]', async () => {
    const { kept, outputs, events } = await run(
      stage(),
      [
        'git init -q -b main .',
        `echo a > a; git add a; git ${AUTHOR} commit -q -m one; git checkout -q -b side; git log --format=%s`,
        `echo b > b; git add b; git ${AUTHOR} commit -q -m two; git checkout -q main; git ${AUTHOR} merge -q side; git tag v1; git gc -q; ls`,
        'git config core.hooksPath evil',
        'git status --short | wc -l; git rev-list --count HEAD',
      ],
      '--approve',
      'allow',
    );
    expect(kept).toEqual([true, true, true, true, true]);
    expect(outputs[4]).toContain('0\n2\n');
    const asked = ofType(events, 'approval_requested');
    expect(asked.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('git core.hooksPath=evil'),
      '.git/config would say: core.hookspath = evil',
    ]);
  });
});

describe('a forbidden change of a command', () => {
  it.each([
    ['git obeys it later', 'mkdir -p a/.git/hooks; echo evil > a/.git/hooks/post-checkout', 'git-settings'],
    ['an editor obeys it later', 'mkdir .vscode; echo {} > .vscode/tasks.json', 'executed-later'],
    ['it may hold credentials', 'mkdir deep; echo K=1 > deep/.env', 'credentials'],
    ['it belongs to Bulkhead', 'mkdir .bulkhead; echo x > .bulkhead/config.yaml', 'engine-files'],
    ['it leads out', 'ln -s /etc/passwd passwd', 'link-out'],
    ['it deletes much', 'rm many/*', 'mass-deletion'],
  ])('is dropped when %s; the agent learns why [A2] [B2] [FT14]', async (_what, command, rule) => {
    for (let index = 0; index < 60; index += 1) stage().write(`many/${index}`, 'x');
    const commands = [`${command}; echo fine > fine.txt`];
    const config = unjudgedCommands(stage());
    const { code, outputs, kept, events } = await runUnder(stage(), config, commands);
    expect(code).toBe(3);
    expect(kept).toEqual([false]);
    expect(outputs[0]).toContain('[nothing it changed was kept: ');
    expect(outputs[0]).toContain('Retry without this step');
    expect(ofType(events, 'shield_verdict')).toMatchObject([
      { decision: 'allow' },
      { rule: `effects/${rule}` },
    ]);
    expect(readdirSync(stage().folder)).toEqual(['many']);
    expect(readdirSync(join(stage().folder, 'many'))).toHaveLength(60);
    expect(settledOf(events).outcome).toBe('blocked');
  });

  it('is asked about where a person may decide: shown in full, kept when approved, dropped when denied [A6] [B2]', async () => {
    await stage().model(() => ({ text: 'done' }));
    await stage().model([
      { toolCalls: [bash('echo export X=1 > .envrc; touch a')] },
      { toolCalls: [bash('echo export X=1 > .envrc; touch a')] },
      { text: 'done' },
    ]);
    await using talk = await Talk.begin(stage());
    await talk.send('go', { options: { approve: ApprovalMode.ASK } });
    const answers = [ApprovalAnswer.DENY, ApprovalAnswer.ALLOW_ONCE];
    let seq = 0;
    for (const answer of answers) {
      const asked = await talk.event('approval_requested', (event) => event.seq > seq);
      seq = asked.seq;
      expect(asked.reason).toContain('.envrc is run automatically by direnv');
      expect(asked.shown).toContain('2 created:\n+ .envrc\n+ a');
      expect(readdirSync(stage().folder)).toEqual([]);
      await talk.decide(asked, answer);
    }
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'action_completed').map(({ effects }) => effects?.kept)).toEqual([false, true]);
    expect(readdirSync(stage().folder)).toEqual(['.envrc', 'a']);
    const steps = auditSteps(stage(), talk.session);
    expect(steps.filter((step) => step === 'APPROVED')).toHaveLength(1);
    expect(steps.filter((step) => step === 'DENIED')).toHaveLength(1);
  });

  it('is dropped when the run is cancelled while a person is asked [A6]', async () => {
    await stage().model([{ toolCalls: [bash('touch .envrc a')] }, { text: 'done' }]);
    await using talk = await Talk.begin(stage());
    await talk.send('go', { options: { approve: ApprovalMode.ASK } });
    await talk.event('approval_requested');
    expect(await talk.cancel('go')).toBe(true);
    const events = await talk.idleAfter('go');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'settled')).toMatchObject([{ outcome: 'aborted' }]);
    expect(readdirSync(stage().folder)).toEqual([]);
  });
});

describe('somebody else in the same folder', () => {
  const waitForGo = 'echo begun; until ls | grep -qx go; do sleep 0.02; done';

  it('loses nothing: what they changed meanwhile is not overwritten [B2]', async () => {
    stage().write('both.txt', 'as it was');
    await stage().model([
      { toolCalls: [bash(`echo theirs > both.txt; echo x > other.txt; ${waitForGo}`)] },
      { text: 'done' },
    ]);
    await using talk = await Talk.begin(stage());
    await talk.send('go');
    await talk.event('tool_delta', ({ text }) => text.includes('begun'));
    stage().write('both.txt', 'edited by the user');
    stage().write('go', '');
    const events = await talk.idleAfter('go');
    expect(ofType(events, 'tool_output')).toMatchObject([
      {
        isError: true,
        text: expect.stringContaining('another program changed both.txt while the command ran'),
      },
    ]);
    expect(stage().read('both.txt')).toBe('edited by the user');
    expect(existsSync(join(stage().folder, 'other.txt'))).toBe(false);
  });

  it('who has a file open keeps it, and the agent learns how to proceed [B2]', async () => {
    stage().write('data.db', 'rows');
    const fd = openSync(join(stage().folder, 'data.db'), 'r+');
    try {
      const { outputs } = await run(stage(), ['echo more >> data.db']);
      expect(outputs[0]).toContain('another program has data.db open');
      expect(stage().read('data.db')).toBe('rows');
    } finally {
      closeSync(fd);
    }
  });

  it('waits, in turn; in another folder no one does [P9] [B2]', async () => {
    const other = join(stage().folder, '../other');
    mkdirSync(other);
    await stage().model(({ bodyText }) => {
      if (bodyText.includes('"role":"tool"')) return { text: 'done' };
      return {
        toolCalls: [bash(bodyText.includes('task-one') ? `${waitForGo}; echo 1 >> log` : 'echo 2 >> log')],
      };
    });
    await using talk = await Talk.begin(stage());
    await talk.send('task-one');
    await talk.event('tool_delta', ({ text }) => text.includes('begun'));
    const waiting = stage().start(['run', '--json', 'second']);
    await waiting.event('action_started');
    expect((await stage().cli(['run', 'elsewhere', '--cwd', other])).code).toBe(0);
    expect(readFileSync(join(other, 'log'), 'utf8')).toBe('2\n');
    expect(ofType(waiting.events(), 'tool_output')).toEqual([]);
    stage().write('go', '');
    expect((await waiting.done()).code).toBe(0);
    await talk.idleAfter('task-one');
    expect(stage().read('log')).toBe('1\n2\n');
  });
});

describe('a folder that was there before a command', () => {
  it('is renamed by any program, which lists it like any other change [B2]', async () => {
    stage().write('folder/a.txt', 'a');
    const { outputs } = await run(stage(), [
      'perl -e \'rename("folder", "renamed") or die $!\'',
      'mv renamed again && cat again/a.txt',
    ]);
    expect(outputs[0]).toContain('- folder/ (1 inside)\n+ renamed/ (1 inside)');
    expect(outputs[1]).toContain('a');
    expect(stage().read('again/a.txt')).toBe('a');
    expect(['folder', 'renamed'].filter((name) => existsSync(join(stage().folder, name)))).toEqual([]);
  });
});
