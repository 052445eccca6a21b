import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType, settledOf } from './support/event-lines.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const load = { name: 'load_skills', args: { names: ['mail'] } };

describe('a skill', () => {
  it('is installed by hash, loaded by name, and stays loaded in another engine [SK1] [SK2] [L3]', async () => {
    const server = await stage().model(({ bodyText }) =>
      bodyText.includes('Sign with Ada.') ? { text: 'done' } : { toolCalls: [load] },
    );
    const source = join(stage().folder, 'mail');
    mkdirSync(source);
    writeFileSync(
      join(source, 'SKILL.md'),
      '---\nname: mail\ndescription: Writes mail.\n---\nSign with Ada.\n',
    );
    const seen = await stage().cli(['skill', 'install', source, '--json']);
    expect(seen.code).toBe(3);
    const { hash } = JSON.parse(seen.stdout);
    expect((await stage().cli(['skill', 'install', source, '--yes', '--hash', hash])).code).toBe(0);
    const { events } = await stage().cli(['run', '--json', 'write a mail']);
    expect(ofType(events, 'tool_output')).toMatchObject([{ tool: 'load_skills', isError: false }]);
    const { session } = settledOf(events);
    await stage().cli(['stop']);
    await stage().cli(['run', '--session', session, 'again']);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.bodyText).toContain('Sign with Ada.');
    // Standing before its first message, the session is as new: nothing is loaded.
    expect((await stage().cli(['sessions', 'move', session, 'start'])).code).toBe(0);
    await stage().cli(['run', '--session', session, 'anew']);
    expect(server.requests[3]?.bodyText).not.toContain('Sign with Ada.');
    const audit = await stage().cli(['audit', 'list', '--json']);
    expect(audit.stdout).toContain('SKILL_INSTALLED');
    expect(readFileSync(join(source, 'SKILL.md'), 'utf8')).toContain('Ada');
  });
});
