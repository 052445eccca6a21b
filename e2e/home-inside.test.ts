import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

describe('a working folder that holds the home of Bulkhead, as a person’s own home does', () => {
  it('can be worked in by file tools, which are kept out of that home [A2]', async () => {
    const outer = dirname(stage().layout.root);
    const listed = await stage().cli(['run', '--json', '--cwd', outer, 'list the files here']);
    expect(listed.code).toBe(0);
    expect(ofType(listed.events, 'action_completed')).toMatchObject([{ success: true }]);
    const token = stage().layout.token.slice(outer.length + 1);
    const read = await stage().cli(['run', '--json', '--cwd', outer, `read ${token}`]);
    expect(ofType(read.events, 'action_completed')).toMatchObject([{ success: false }]);
  });
});
