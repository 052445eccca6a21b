import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Editor } from './support/editor.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

it('an editor receives the templates of a profile as commands, the size of the context and the cost [I4] [SK3] [C7]', async () => {
  const templates = join(stage().layout.root, 'profiles/default/templates');
  mkdirSync(templates, { recursive: true });
  writeFileSync(join(templates, 'fix.md'), '---\ndescription: Mends a place.\n---\nMend $1 and say why.\n');
  const server = await stage().model([{ text: 'mended' }, { text: 'seen' }], { models: OFFLINE_TITLES });
  await using editor = await Editor.open(stage());
  const session = await editor.begin(stage());
  await until('the meter', () => editor.of('usage_update').length === 1);
  expect(editor.of('available_commands_update')).toMatchObject([
    { availableCommands: [{ name: 'fix', description: 'Mends a place.' }] },
  ]);
  await expect(editor.prompt(session, '/fix')).rejects.toThrow('needs 1 argument');
  await editor.prompt(session, '/fix the-roof');
  expect(server.requests[0]?.bodyText).toContain('Mend ');
  expect(server.requests[0]?.bodyText).toContain('the-roof');
  expect(server.requests[0]?.bodyText).not.toContain('/fix');
  await editor.prompt(session, '/etc/hosts: what is it for?');
  expect(server.requests[1]?.bodyText).toContain('/etc/hosts: what is it for?');
  const meters = editor.of('usage_update');
  expect(meters).toHaveLength(3);
  expect(meters[2]?.used).toBeGreaterThan(meters[0]?.used ?? 0);
  expect(meters[2]?.size).toBeGreaterThan(meters[2]?.used ?? 0);
});
