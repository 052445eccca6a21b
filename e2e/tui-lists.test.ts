import { expect, it } from 'vitest';
import { openChat, READY } from './support/open-chat.ts';
import { KEY } from './support/terminal-process.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

const SECRET = 'sk-ant-canary-7c0e52d1';

it('offers the models that can be chosen, and tells of the tools there are and how policy treats one [I2]', {
  timeout: 270_000,
}, async () => {
  await stage().model(() => ({ text: 'good day' }));
  const stored = await stage().cli(['config', 'secret', 'ANTHROPIC_API_KEY', '-'], { stdin: SECRET });
  expect(stored.code).toBe(0);
  await stage().cli(['start', '--daemon']);
  await using terminal = openChat(stage(), [], { columns: 120, rows: 40 });
  await terminal.shows(READY);
  terminal.type(KEY.ctrlL);
  await terminal.shows('Choose a model');
  await terminal.shows('anthropic/claude-opus-5-5');
  terminal.type('sonnet-5-5');
  await terminal.shows('$2 in, $10 out per million');
  terminal.type(KEY.enter);
  await terminal.shows('model: anthropic/claude-sonnet-5-5');

  terminal.type(`/tools${KEY.enter}`);
  await terminal.shows('memory: long-term memory');
  expect(terminal.everything).toMatch(/shell \(\d+ tokens\)\s+bash +runs a command or code/);
  expect(terminal.everything).toMatch(
    /services \(loaded when needed\)\s+web_fetch +gets something from elsewhere/,
  );
  terminal.type(`/tools bash${KEY.enter}`);
  await terminal.shows('command-with-network: a person is asked');
  await terminal.shows('otherwise: allowed if the analysis agrees');
  terminal.type(`/doctor${KEY.enter}`);
  await terminal.shows(/ok +audit log/);
  expect(terminal.everything).not.toContain(SECRET);
});
