import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditSteps } from './support/audit-steps.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useSharedStage();

/** Every file below the working folder, as far as a change of any kind would show. */
function traces(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { ino, mode, mtimeNs, ctimeNs, size } = statSync(join(folder, name), { bigint: true });
      return [name, ino, mode, size, mtimeNs, ctimeNs].join(' ');
    });
}

describe('a dry run', () => {
  it('says what every change would be and does none of them; what only looks is done [A5]', async () => {
    stage().write('kept.txt', 'as it was\n');
    stage().write('sub/deep.txt', 'deep\n');
    const before = traces(stage().folder);
    await stage().model([
      {
        toolCalls: [
          { name: 'read', args: { path: 'kept.txt' } },
          { name: 'write', args: { path: 'new.txt', content: 'never there' } },
          { name: 'write', args: { path: 'kept.txt', content: 'something else\n' } },
          { name: 'edit', args: { path: 'kept.txt', old_text: 'as it was', new_text: 'as it would be' } },
          bash('rm -r sub; echo made > made.txt'),
        ],
      },
      { text: 'that is what I would do' },
    ]);
    const { code, events } = await stage().cli(['run', '--json', '--dry-run', 'go']);
    expect(code).toBe(0);
    expect(grammarProblems(events)).toEqual([]);
    expect(traces(stage().folder)).toEqual(before);
    expect(stage().read('kept.txt')).toBe('as it was\n');

    const [read, ...described] = ofType(events, 'tool_output');
    expect(read).toMatchObject({ isError: false, text: expect.stringContaining('as it was') });
    expect(described.map(({ isError }) => isError)).toEqual([false, false, false, false]);
    for (const { text } of described) expect(text).toMatch(/^Dry run, nothing was done\. /);
    expect(described.map(({ text }) => text)).toEqual([
      expect.stringContaining('new.txt'),
      expect.stringContaining('kept.txt'),
      expect.stringMatching(/kept\.txt[\s\S]*as it would be/),
      expect.stringContaining(
        'it would change there: 1 created, 2 deleted.\n+ made.txt\n- sub/ (1 inside)\n$ rm -r sub; echo made',
      ),
    ]);
    expect(ofType(events, 'action_completed').map(({ dryRun }) => dryRun)).toEqual([
      undefined,
      true,
      true,
      true,
      true,
    ]);
    const { session } = settledOf(events);
    const steps = auditSteps(stage(), session);
    expect(steps.filter((step) => step === 'DESCRIBED')).toHaveLength(4);
    expect(steps.filter((step) => step === 'STARTED')).toHaveLength(1);
  });

  it('asks no one, and says which action would need approval [A5]', async () => {
    await stage().model(
      [{ toolCalls: [{ name: 'write', args: { path: 'a', content: 'b' } }] }, { text: 'I see' }],
      { config: 'policy: strict' },
    );
    const { code, events } = await stage().cli(['run', '--json', '--dry-run', 'go']);
    expect(code).toBe(0);
    expect(ofType(events, 'approval_requested')).toEqual([]);
    expect(ofType(events, 'tool_output')[0]?.text).toContain('It would need approval first');
    expect(readdirSync(stage().folder)).toEqual([]);
  });

  it('is refused what a real run would be refused; the next message of the session is real [A5]', async () => {
    stage().write('.env', 'KEY=1');
    await stage().model([
      { toolCalls: [{ name: 'write', args: { path: '.env', content: '' } }] },
      { text: 'no' },
      { toolCalls: [{ name: 'write', args: { path: 'real.txt', content: 'real' } }] },
      { text: 'done' },
    ]);
    const dry = await stage().cli(['run', '--json', '--dry-run', 'go']);
    expect(dry.code).toBe(3);
    expect(ofType(dry.events, 'shield_verdict')).toMatchObject([{ decision: 'block' }]);
    const { session } = settledOf(dry.events);
    expect((await stage().cli(['run', '--session', session, 'now do it'])).code).toBe(0);
    expect(stage().read('real.txt')).toBe('real');
  });
});
