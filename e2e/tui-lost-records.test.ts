import { expect, it } from 'vitest';
import { loseRecords } from './support/lose-records.ts';
import { openChat, READY } from './support/open-chat.ts';
import { KEY } from './support/terminal-process.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

it('says above the line and in the list that a session lost records, and goes on once that is accepted [S4] [I2]', {
  timeout: 900_000,
}, async () => {
  await stage().model(({ bodyText }) => ({ text: bodyText.includes('third') ? 'here again' : 'good day' }));
  const session = await loseRecords(stage());
  await using terminal = openChat(stage(), ['--session', session]);
  await terminal.shows(READY);
  await terminal.shows('read-only: session');
  expect(terminal.text).toContain('/accept-loss');
  // The last line says so, too.
  expect(terminal.text.trimEnd().split('\n').at(-1)).toContain('read-only');
  terminal.type(`third${KEY.enter}`);
  await terminal.shows('is read-only: its log lost records');
  terminal.type('\x15');
  terminal.type(`/sessions${KEY.enter}`);
  await terminal.shows('read-only: lost records');
  terminal.type(KEY.escape);
  await terminal.gone('read-only: lost records');
  terminal.type(`/accept-loss${KEY.enter}`);
  await terminal.shows('accepted: session');
  terminal.type(`third${KEY.enter}`);
  await terminal.shows('here again');
  expect(terminal.text.trimEnd().split('\n').at(-1)).not.toContain('read-only');
});
