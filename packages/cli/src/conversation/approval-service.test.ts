import { create } from '@bufbuild/protobuf';
import type { EventBody } from '@bulkhead/protocol';
import { ApprovalAnswer, ApprovalMode, Delivery, OpenApprovalSchema } from '@bulkhead/protocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { type Script, ScriptedEngine, type ScriptedRun } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';
import type { ApprovalQuestion } from './approval-dialog.ts';

const HASH = 'ab'.repeat(32);

const ABOUT = { approval: 'ap1', action: 'a1', hash: HASH } as const;

type Reach = Pick<ApprovalQuestion, 'scopes' | 'rule'>;

const asking = async (run: ScriptedRun, reach: Reach = {}, ...before: EventBody[]): Promise<void> => {
  run.start();
  run.emit(
    ...before,
    { type: 'tool_call', call: 'c1', tool: 'bash', arguments: { command: 'curl x' } },
    {
      type: 'approval_requested',
      approval: 'ap1',
      action: 'a1',
      hash: HASH,
      tool: 'bash',
      shown: 'bash\n  command: curl \\u202e x',
      reason: 'it reaches out',
      expires: '2026-01-01T00:05:00.000Z',
      ...reach,
    },
  );
  const answer = await run.approval();
  const decision = answer === ApprovalAnswer.DENY ? 'deny' : 'allow';
  run.emit({ type: 'approval_decided', approval: 'ap1', action: 'a1', hash: HASH, decision, by: 'person' });
  run.settle(decision === 'allow' ? { answer: 'done' } : { outcome: 'blocked', answer: 'I could not.' });
};

describe('approvals in run', () => {
  let home: ReturnType<typeof testHome>;
  let engine: ScriptedEngine | undefined;

  beforeEach(() => {
    home = testHome();
  });

  afterEach(async () => {
    await engine?.close();
    engine = undefined;
    home[Symbol.dispose]();
  });

  async function serve(script: Script, answers: ScriptedEngine['answers'] = {}): Promise<ScriptedEngine> {
    engine = new ScriptedEngine(home.layout, script);
    engine.answers = answers;
    await engine.listen();
    return engine;
  }

  it.each<[string, string, number]>([
    ['y', 'ALLOW_ONCE', 0],
    ['yes', 'ALLOW_ONCE', 0],
    ['', 'DENY', 3],
    ['n', 'DENY', 3],
    ['NO', 'DENY', 3],
  ])('asks a person about what was shown; %j is %s', async (typed, answer, code) => {
    const served = await serve((run) => asking(run));
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] });
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('y once · n no · d details');
    expect(environment.err()).toContain('  command: curl \\u202e x');
    environment.stdin.write(`${typed}\n`);
    expect(await exit).toBe(code);
    expect(served.decisions).toMatchObject([
      {
        approvalId: 'ap1',
        actionHash: HASH,
        answer: answer === 'DENY' ? ApprovalAnswer.DENY : ApprovalAnswer.ALLOW_ONCE,
      },
    ]);
    expect(served.received[0]?.options?.approve).toBe(ApprovalMode.ASK);
  });

  it('denies with what to do instead: the words are sent first, and join the run [A6]', async () => {
    const served = await serve((run) => asking(run));
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] });
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('i WORDS');
    environment.stdin.write('i write it to notes.md\n');
    await exit;
    expect(served.decisions).toMatchObject([{ approvalId: 'ap1', answer: ApprovalAnswer.DENY }]);
    expect(served.received.at(-1)).toMatchObject({
      content: 'write it to notes.md',
      delivery: Delivery.STEER,
    });
  });

  it('says which rule asks, until when, what each key does, and all of it on demand', async () => {
    const rule = 'commands/publish';
    const said = { action: 'a1', hash: HASH, tier: 1, rule, reason: 'it reaches out' } as const;
    const verdict = { type: 'shield_verdict', decision: 'escalate', ...said } as const;
    const shown = 'all\\u{202e} of it';
    const full = create(OpenApprovalSchema, { approvalId: 'ap1', shown, tool: 'bash', remainingMs: 300_000 });
    const answers = { listApprovals: () => ({ approvals: [full] }) };
    const served = await serve((run) => asking(run, {}, verdict), answers);
    const clock = { now: () => Date.parse('2036-01-01T00:00:30.000Z'), monotonic: () => 0 };
    const environment = { ...testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] }), clock };
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('y once');
    expect(environment.err()).toContain('  why: it reaches out (commands/publish; analysis)\n');
    expect(environment.err()).toContain('  expires in 5 min; then it is denied automatically\n');
    environment.stdin.write('?\n');
    await environment.until('  y once     allow once, exactly as shown\n');
    environment.stdin.write('d\n');
    await environment.until(
      `  all\\u{202e} of it\n  tool bash, question ap1\n  session session-1\n  bound to SHA-256 ${HASH}`,
    );
    environment.stdin.write('n\n');
    await exit;
    expect(served.decisions).toMatchObject([{ answer: ApprovalAnswer.DENY }]);
  });

  it('says what was decided if another answer came first, also when that withdraws the question [A6]', async () => {
    const answered = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    await serve(
      async (run) => {
        run.start();
        const shown = { tool: 'bash', shown: 'bash', reason: 'it deletes', expires: '' };
        run.emit({ type: 'approval_requested', ...ABOUT, ...shown });
        await answered.promise;
        run.emit({ type: 'approval_decided', ...ABOUT, decision: 'deny', by: 'person' });
        await told.promise;
        run.settle({ outcome: 'blocked', answer: 'no' });
      },
      {
        decideApproval: async () => {
          answered.resolve();
          // The event arrives before the response to the answer.
          await new Promise((resolve) => setTimeout(resolve, 50));
          return { accepted: false, decision: 'deny', by: 'person', scope: '' };
        },
      },
    );
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] });
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('y once · n no · d details');
    environment.stdin.write('y\n');
    await environment.until('Your answer changed nothing: it was refused from another of your windows.');
    told.resolve();
    await exit;
  });

  it('says why below a list that fills the screen', async () => {
    await serve(async (run) => {
      run.start();
      const shown = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
      run.emit({
        type: 'approval_requested',
        ...ABOUT,
        tool: 'bash',
        shown,
        reason: 'it deletes',
        expires: '',
      });
      await run.approval();
      run.emit({ type: 'approval_decided', ...ABOUT, decision: 'deny', by: 'person' });
      run.settle({ outcome: 'blocked', answer: 'no' });
    });
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] });
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('y once · n no · d details');
    expect(environment.err()).toMatch(/line 29\s+why: it deletes\s+y once/);
    environment.stdin.write('n\n');
    await exit;
  });

  it.each<[string, ApprovalAnswer]>([
    ['y', ApprovalAnswer.ALLOW_ONCE],
    ['', ApprovalAnswer.DENY],
  ])('takes other text for no answer and asks again; then %j counts', async (typed, answer) => {
    const served = await serve((run) => asking(run));
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] });
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('y once · n no · d details');
    environment.stdin.write('k\n');
    await environment.until('nothing was sent. Please say y or n.\n  y once');
    expect(served.decisions).toEqual([]);
    environment.stdin.write(`${typed}\n`);
    await exit;
    expect(served.decisions).toMatchObject([{ answer }]);
  });

  it.each<[string, ApprovalAnswer]>([
    ['s', ApprovalAnswer.ALLOW_SESSION],
    ['always', ApprovalAnswer.ALLOW_ALWAYS],
    ['y', ApprovalAnswer.ALLOW_ONCE],
  ])('shows the rule and scopes of an approval; accepts %j [A6]', async (typed, answer) => {
    const served = await serve((run) =>
      asking(run, { scopes: ['once', 'session', 'always'], rule: '{"x":1}' }),
    );
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] });
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('y once · s session · a always · n no · d details · i WORDS · ? help');
    expect(environment.err()).toContain('  always would add: {"x":1}\n');
    environment.stdin.write(`${typed}\n`);
    await exit;
    expect(served.decisions).toMatchObject([{ answer }]);
  });

  it('takes no wider yes than was offered [A6]', async () => {
    const served = await serve((run) => asking(run, { scopes: ['once'] }));
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] });
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('y once · n no · d details');
    environment.stdin.write('a\n');
    await environment.until('Please say y or n.');
    environment.stdin.write('n\n');
    await exit;
    expect(served.decisions).toMatchObject([{ answer: ApprovalAnswer.DENY }]);
  });

  it('takes an end of input for a no', async () => {
    const served = await serve((run) => asking(run));
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] });
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('y once · n no · d details');
    environment.stdin.end();
    expect(await exit).toBe(3);
    expect(served.decisions).toMatchObject([{ answer: ApprovalAnswer.DENY }]);
  });

  it('withdraws a question that was decided elsewhere', async () => {
    const served = await serve(async (run) => {
      setTimeout(() => run.session.decided.resolve(ApprovalAnswer.ALLOW_ONCE), 100);
      await asking(run);
    });
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stderr'] });
    expect(await dispatch(['run', 'x'], environment)).toBe(0);
    expect(served.decisions).toEqual([]);
  });
});
