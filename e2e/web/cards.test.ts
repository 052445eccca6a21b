import { describe, expect, it } from 'vitest';
import { useStage } from '../support/use-stage.ts';
import { ask } from './support/ask.ts';
import { useBrowser } from './support/use-browser.ts';
import { openWeb } from './support/web-page.ts';

const stage = useStage();
const browser = useBrowser();

describe('the card of an action', () => {
  it('says in a few words what it gave, and what of a failed or cancelled command was kept [I3]', async () => {
    stage().write('notes.md', 'one\ntwo\nthree\n');
    await stage().model([
      { toolCalls: [{ name: 'grep', args: { pattern: 't' } }] },
      { toolCalls: [{ name: 'edit', args: { path: 'notes.md', old_text: 'two\n', new_text: '2\n2.5\n' } }] },
      { toolCalls: [{ name: 'bash', args: { command: 'echo made > made.txt; exit 3' } }] },
      { toolCalls: [{ name: 'bash', args: { command: 'echo half > half.txt; echo started; sleep 600' } }] },
      { text: 'That was it.' },
    ]);
    await using web = await openWeb(stage(), browser());
    const { page } = web;
    await ask(page, stage().folder, 'Do it all');
    await page.getByText('started', { exact: true }).waitFor();
    const card = (name: string) => page.getByRole('region', { name });
    await card('grep: done').getByText('2 matches').waitFor();
    await card('edit: done').getByText('2 lines added, 1 line removed').waitFor();
    const failed = card('bash: failed').first();
    await failed.getByText('exit code 3').first().waitFor();
    await failed.getByText('files: 1 created', { exact: true }).waitFor();
    expect(await failed.getByRole('button', { name: 'Undo' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    const cut = card('bash: failed').last();
    await cut.getByText(/none of it kept|nothing of it was kept/).waitFor();
    expect(await cut.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(() => stage().read('half.txt')).toThrow();
    expect(stage().read('made.txt')).toBe('made\n');
  });
});
