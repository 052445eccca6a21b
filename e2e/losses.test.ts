import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useSharedStage();
const AUTHOR = '-c user.name=n -c user.email=e@example.org';

/** Runs commands, one call each, with no one to ask unless `args` say so. */
async function run(commands: readonly string[], ...args: readonly string[]) {
  const config = unjudgedCommands(stage());
  await stage().model([...commands.map((command) => ({ toolCalls: [bash(command)] })), { text: 'done' }], {
    config,
  });
  const { events } = await stage().cli(['run', '--json', ...args, 'go']);
  return {
    kept: ofType(events, 'action_completed').map(({ effects }) => effects?.kept),
    asked: ofType(events, 'shield_verdict').flatMap(({ rule, reason }) =>
      rule.startsWith('effects/') ? [reason] : [],
    ),
  };
}

function writeMany(folder: string, count: number): void {
  for (let index = 0; index < count; index += 1)
    stage().write(`${folder}/${index}`, `text of number ${index}`);
}

const names = (folder = '.') => readdirSync(join(stage().folder, folder));

describe('the loss of many contents [B2] [FG6]', () => {
  it('asks when files are overwritten, and keeps them if no one allows it', async () => {
    writeMany('many', 60);
    const { kept, asked } = await run(['for f in many/*; do echo gone > $f; done']);
    expect({ kept, asked }).toEqual({ kept: [false], asked: ['60 files would be overwritten'] });
    expect(readFileSync(join(stage().folder, 'many/7'), 'utf8')).toBe('text of number 7');
  });

  it('does not ask when their contents stay: renamed, moved, edited', async () => {
    writeMany('many', 60);
    const { kept, asked } = await run([
      'mv many few',
      'mkdir new; for f in few/*; do mv $f new/x-$(basename $f); done; rmdir few',
      'sed -i s/number/no/ new/*',
    ]);
    expect({ kept, asked }).toEqual({ kept: [true, true, true], asked: [] });
    expect(names('new')).toHaveLength(60);
  });

  it('does not ask about what git holds, and asks when all its objects go', async () => {
    writeMany('many', 60);
    const { kept, asked } = await run([
      `git init -q && git add . && git ${AUTHOR} commit -qm first`,
      'git rm -rq many',
      'git reset -q --hard',
      'rm -rf .git/objects/??',
    ]);
    expect(kept).toEqual([true, true, true, false]);
    expect(asked).toEqual([expect.stringMatching(/^6\d objects and commits of \.git would be lost$/)]);
  });

  it('does not ask about what commands of the session made, but about copies of older files', async () => {
    writeMany('many', 60);
    const { kept, asked } = await run([
      'mkdir made; for n in $(seq 60); do echo "made $n" > made/$n; done; cp -r many copy',
      'rm -r made',
      'rm -r many',
    ]);
    expect(kept).toEqual([true, true, false]);
    expect(asked).toEqual(['60 files would be deleted']);
  });

  it('adds up over the commands of an answer, and asks once', async () => {
    writeMany('many', 120);
    const commands = Array.from({ length: 7 }, (_, at) => `rm many/{${at * 10}..${at * 10 + 9}}`);
    const { kept, asked } = await run(commands, '--approve', 'allow');
    expect(kept).toEqual(commands.map(() => true));
    expect(asked).toEqual(['10 files would be deleted, after 50 that earlier commands of this answer lost']);
  });
});
