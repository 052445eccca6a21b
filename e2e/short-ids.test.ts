import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { useSharedStage } from './support/use-stage.ts';

const stage = useSharedStage();

describe('an id that is cut short', () => {
  it('is enough where it is unique, and lists tell command and folder', async () => {
    await stage().model([
      { toolCalls: [{ name: 'bash', args: { command: 'echo made > made.txt' } }] },
      { text: 'done' },
    ]);
    const { events } = await stage().cli(['run', '--json', 'go']);
    const action = ofType(events, 'action_started')[0]?.action ?? '';
    const session = events[0]?.session ?? '';
    // The end of it is random: this much is of one id only, in any case.
    const short = action.slice(0, -2).toLowerCase();
    const said = async (...args: readonly string[]) => (await stage().cli(args)).stdout;

    const audit = await said('audit', 'list', '--action', short, '--session', session.slice(0, -2));
    expect(audit).toContain(`PROPOSED  bash ${action}\n        echo made > made.txt\n`);
    expect(audit).toContain(`PROPOSED  bash ${action}\n        echo made > made.txt\n`);
    expect(await said('ifc', 'explain', short)).toContain(`bash in session ${session}`);
    expect(await said('chronicle', 'rollback', short, '--dry-run')).toContain('- file made.txt');
  });

  it('names those it could be', async () => {
    await stage().model([
      {
        toolCalls: [
          { name: 'ls', args: {} },
          { name: 'ls', args: {} },
        ],
      },
      { text: 'done' },
    ]);
    const { events } = await stage().cli(['run', '--json', 'go']);
    const [one = '', other = ''] = ofType(events, 'action_started').map(({ action }) => action);
    let same = 0;
    while (one[same] === other[same]) same += 1;
    const { code, stderr } = await stage().cli(['audit', 'list', '--action', one.slice(0, same)]);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('2 actions could be'),
    });
    for (const id of [one, other]) expect(stderr).toContain(id);
  });
});
