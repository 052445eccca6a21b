import { create } from '@bufbuild/protobuf';
import { ApprovalAnswer, Delivery, OpenApprovalSchema } from '@bulkhead/protocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const HASH = 'ab'.repeat(32);
const question = (approvalId: string, scopes = ['once', 'session']) =>
  create(OpenApprovalSchema, {
    approvalId,
    sessionId: 'session-1',
    actionId: 'a1',
    actionHash: HASH,
    tool: 'bash',
    shown: 'in /work\ncommand: curl x',
    reason: 'it reaches out',
    expires: '2026-01-01T00:05:00.000Z',
    scopes,
  });

describe('bulkhead approvals', () => {
  let home: ReturnType<typeof testHome>;
  let engine: ScriptedEngine;
  let waiting = [question('01AAAAA1'), question('01AAAAB2', ['once'])];
  let accepted = true;
  let steps: string[] = [];

  beforeEach(async () => {
    steps = [];
    home = testHome();
    engine = new ScriptedEngine(home.layout, async () => {});
    waiting = [question('01AAAAA1'), question('01AAAAB2', ['once'])];
    accepted = true;
    engine.answers = {
      listApprovals: ({ approvalId }) => ({
        approvals: waiting.filter((one) => approvalId === '' || one.approvalId === approvalId),
      }),
      sendMessage: ({ sessionId, messageId, content, delivery }) => {
        expect(delivery).toBe(Delivery.STEER);
        steps.push(`${sessionId} ${content}`);
        return { messageId };
      },
      decideApproval: (request) => {
        engine.decisions.push(request);
        if (request.answer === ApprovalAnswer.DENY) steps.push('denied');
        return { accepted, decision: 'allow', by: 'person', scope: 'once' };
      },
    };
    await engine.listen();
  });
  afterEach(async () => {
    await engine.close();
    home[Symbol.dispose]();
  });

  async function call(...args: readonly string[]) {
    const environment = testEnvironment(home.layout);
    const code = await dispatch(['approvals', ...args], environment);
    return { code, out: environment.out(), err: environment.err() };
  }

  it('lists pending approvals with the scopes they allow [A6]', async () => {
    const { code, out } = await call('list');
    expect(code).toBe(0);
    expect(out).toContain(
      '01AAAAA1  bash in session session-1\n  in /work\n  command: curl x\n  why: it reaches out\n',
    );
    expect(out).toContain('answer with y, s or n');
    expect(JSON.parse((await call('list', '--json')).out)).toMatchObject([
      { approvalId: '01AAAAA1', actionHash: HASH },
      { approvalId: '01AAAAB2', scopes: ['once'] },
    ]);
    waiting = [];
    expect((await call('list')).out).toBe('no pending approvals\n');
  });

  it.each([
    ['y', ApprovalAnswer.ALLOW_ONCE],
    ['s', ApprovalAnswer.ALLOW_SESSION],
    ['n', ApprovalAnswer.DENY],
  ])('answers %s from another terminal, for the hash it has shown [A6]', async (said, answer) => {
    expect(await call('answer', '1aaaaa1', said)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^answered [ysn]: \w+: /),
    });
    expect(engine.decisions).toMatchObject([{ approvalId: '01AAAAA1', actionHash: HASH, answer }]);
  });

  it('denies with what to do instead: the words are sent first, and join the run [A6]', async () => {
    expect(await call('answer', '01AAAAA1', 'i', 'write', 'it to notes.md')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^answered i write it to notes.md: bash: /),
    });
    expect(steps).toEqual(['session-1 write it to notes.md', 'denied']);
  });

  it.each<[string[], RegExp]>([
    [['answer', '01AAAAA1', 'i'], /answer with y, s or n, or with i and what to do instead/],
    [['answer', '01AAAAA1', 'n', 'because'], /answer with y, s or n/],
    [['answer', '01AAAAA1', 'a'], /answer with y, s or n/],
    [['answer', '01AAAAB2', 's'], /answer with y or n/],
    [['answer', '01AAAAA1', ''], /answer with y, s or n/],
    // A later question has an id with the same beginning.
    [['answer', '01aaaaa', 'y'], /no pending approval 01aaaaa/],
    [['answer', '02', 'y'], /no pending approval 02/],
    [['answer', '01AAAAA1'], /`approvals answer` needs ID and/],
    [['grant', '01AAAAA1', 'y'], /unknown: approvals/],
  ])('%j answers nothing [A6]', async (args, message) => {
    const { code, err } = await call(...args);
    expect(code).not.toBe(0);
    expect(err).toMatch(message);
    expect(engine.decisions).toEqual([]);
  });

  it('says so when it came too late [A6]', async () => {
    accepted = false;
    expect(await call('answer', '01AAAAA1', 'y')).toMatchObject({
      code: 1,
      out: 'your answer changed nothing: it was allowed once from another of your windows\n',
    });
  });
});
