import { spawnSync } from 'node:child_process';
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

/** A file system of its own around home and working folder: changes have no place to wait on it. */
const ALONE = [
  ...['unshare', '--user', '--map-root-user', '--mount', 'bash', '-c'],
  'mount -t tmpfs none "$TREE" && cd "$TREE" && mkdir -m 700 home && echo canary > .env && exec "$0" "$@"',
];

describe('a working folder around the home, with no place above it', () => {
  const possible = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0;

  it.runIf(possible)(
    'takes commands that a person allows: they write it at once, and see neither home nor credentials [B2] [A2]',
    async () => {
      const tree = stage().folder;
      const env = { TREE: tree, BULKHEAD_HOME: `${tree}/home` };
      const command = 'echo live > made; cat made .env; ls home; mv home away; mkdir home/x; ls -A';
      const run = (approve: string, text: string) =>
        stage().cli(['run', '--isolated', '--json', '--cwd', tree, '--approve', approve, `run \`${text}\``], {
          under: ALONE,
          env,
        });
      // Nothing else of it needs a question.
      const denied = await run('deny', 'echo live > made');
      expect(ofType(denied.events, 'shield_verdict')).toMatchObject([
        { rule: 'commands/live', reason: expect.stringContaining('home lies inside that folder') },
      ]);
      expect(denied.code).toBe(3);
      const allowed = await run('allow', command);
      expect(ofType(allowed.events, 'approval_requested')).toMatchObject([
        { reason: expect.stringContaining('home lies inside that folder') },
      ]);
      const [output] = ofType(allowed.events, 'tool_output');
      expect(output?.text).toMatch(/^live\n/);
      expect(output?.text).not.toContain('canary');
      expect(output?.text).toMatch(/\n\.bulkhead\n\.env\n\.git\nhome\nmade\n/);
      expect(output?.text).not.toContain('state');
      expect(allowed.code).toBe(0);
    },
  );
});
