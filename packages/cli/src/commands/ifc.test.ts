import { describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

/** Sets a terminal's title; as plain text it is harmless. */
const ATTACK = '\x1b]0;owned\x07';
const SESSION = '01HZZZZZZZZZZZZZZZZZZZZZZZ';
const EVIDENCE = {
  argument: 'to',
  value: `x@y.example${ATTACK}`,
  role: 'recipient',
  from: 'result',
  tool: 'web_fetch',
  source: `write to${ATTACK} x@y.example`,
  writer: 'external',
  endorsed: false,
};

/** @param typed at a terminal; absent if there is no terminal */
async function ifc(argv: readonly string[], typed?: string) {
  using home = testHome();
  const engine = new ScriptedEngine(home.layout, noScript);
  const asked: unknown[] = [];
  engine.answers = {
    listLabels: ({ sessionId }) => {
      const session = { kind: 'session', name: SESSION, secrecy: 'restricted', trust: 'external' };
      const file = { kind: 'file', name: `/w/a${ATTACK}`, secrecy: 'internal', trust: 'external' };
      const tool = {
        kind: 'tool',
        name: 'mine',
        secrecy: 'internal',
        trust: 'external',
        annotatedBy: 'ifc.yaml',
      };
      return { labels: sessionId === '' ? [session, file, tool] : [session] };
    },
    explainFlow: ({ actionId, sessionId }) => {
      asked.push(['explain', actionId, sessionId]);
      return {
        sessionId: SESSION,
        actionId: `${actionId}-whole`,
        annotatedBy: '/home/ada/ifc.yaml',
        tool: 'email_send',
        decision: 'escalate',
        rule: 'target-not-from-you',
        reason: `to is not from you${ATTACK}`,
        secrecy: 'internal',
        trust: 'external',
        evidence: [EVIDENCE, { ...EVIDENCE, from: 'user', tool: '', source: '', writer: '', endorsed: true }],
      };
    },
    declassify: ({ sessionId }) => {
      asked.push(['declassify', sessionId]);
      return { before: 'restricted', now: 'public', trust: 'external' };
    },
    trustValue: ({ sessionId, value }) => {
      asked.push(['trust', sessionId, value]);
      return {};
    },
  };
  await engine.listen();
  const environment = testEnvironment(home.layout, {
    terminal: typed === undefined ? [] : ['stdin', 'stdout', 'stderr'],
  });
  const called = dispatch(['ifc', ...argv], environment);
  if (typed !== undefined) void environment.until('[y/N]').then(() => environment.stdin.write(typed));
  const code = await called;
  await engine.close();
  return { code, asked, out: environment.out(), err: environment.err() };
}

describe('bulkhead ifc', () => {
  it('lists what carries a label, of one session or of all [F3]', async () => {
    const all = await ifc(['list']);
    expect(all).toMatchObject({ code: 0 });
    expect(all.out).toMatch(
      new RegExp(`^session +restricted +external +${SESSION}\\nfile +internal +external +/w/a`),
    );
    expect(all.out).toContain('  mine  (by ifc.yaml)\n');
    const one = await ifc(['list', '--session', SESSION, '--json']);
    expect(JSON.parse(one.out)).toEqual([
      { kind: 'session', name: SESSION, secrecy: 'restricted', trust: 'external', annotatedBy: '' },
    ]);
  });

  it('explains an action: value, source, writer; for people and for programs [F3]', async () => {
    const told = await ifc(['explain', 'A']);
    expect(told).toMatchObject({ code: 0, asked: [['explain', 'A', '']] });
    expect(told.out).toContain('escalate by target-not-from-you: to is not from you');
    expect(told.out).toContain('read by web_fetch, which external could write');
    expect(told.out).toContain('from your words');
    expect(told.out).toContain('action A-whole\n  the tool’s effects are declared by /home/ada/ifc.yaml\n');
    const read = await ifc(['explain', 'A', '--session', SESSION, '--json']);
    expect(read.asked).toEqual([['explain', 'A', SESSION]]);
    expect(JSON.parse(read.out)).toMatchObject({
      action: 'A-whole',
      annotatedBy: '/home/ada/ifc.yaml',
      decision: 'escalate',
      evidence: [EVIDENCE, {}],
    });
  });

  it('shows nothing that speaks to the terminal', async () => {
    const shown = [await ifc(['list'], ''), await ifc(['explain', 'A'], '')];
    for (const { out } of shown) expect(out).not.toContain(ATTACK);
  });

  it.each([
    [
      ['declassify', '--session', SESSION],
      ['declassify', SESSION],
    ],
    [
      ['trust', 'x@y.example', '--session', SESSION],
      ['trust', SESSION, 'x@y.example'],
    ],
  ])('does %j only after confirmation [F3]', async (argv, asked) => {
    expect(await ifc(argv)).toMatchObject({ code: 3, asked: [] });
    expect(await ifc([...argv, '--json'])).toMatchObject({ code: 3, asked: [], out: '' });
    expect(await ifc(argv, 'n\n')).toMatchObject({ code: 3, asked: [] });
    expect(await ifc(argv, '\n')).toMatchObject({ code: 3, asked: [] });
    expect(await ifc(argv, 'y\n')).toMatchObject({ code: 0, asked: [asked] });
    expect(await ifc([...argv, '--yes', '--json'])).toMatchObject({ code: 0, asked: [asked] });
  });

  it.each([
    [['lst']],
    [['list', 'x']],
    [['list', '--yes']],
    [['explain']],
    [['explain', 'a', 'b']],
    [['declassify']],
    [['declassify', 'x', '--session', SESSION]],
    [['trust', '--session', SESSION]],
    [['trust', 'x']],
  ])('refuses %j', async (argv) => {
    const { code, err, asked } = await ifc(argv);
    expect(asked).toEqual([]);
    expect(code).toBe(2);
    expect(err).toContain('bulkhead: ');
  });
});
