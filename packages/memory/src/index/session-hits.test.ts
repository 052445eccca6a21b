import { expect, it } from 'vitest';
import { TextFolder } from '../testing/text-folder.ts';
import { openMemoryIndex } from './memory-index.ts';

const now = new Date('2026-11-22T12:00:00Z');

/** A session with a question and no answer. */
const asked = (question: string) =>
  `# 2026-11-20 A question\n\nuser: ${question}\n\nassistant: I don't know that. Shall I look it up?\n`;

const CASES = [
  ['When does the ferry to Inchcolm leave?', 'The ferry to Inchcolm leaves at 07:40.'],
  ['What is the name of my cat?', 'The cat is called Oskar.'],
  ['Which dentist do I go to?', 'Dentist: Dr. Farouk, Mill Lane 4.'],
  ['Where did I park the car in May?', 'Parked the car at the north gate, 12 May.'],
] as const;

it.each(CASES)(
  'a note that answers %j stands before sessions in which it was asked [M3]',
  async (question, note) => {
    using folder = new TextFolder();
    folder.write('MEMORY.md', CASES.map(([, line]) => `- ${line}`).join('\n\n'));
    for (let day = 10; day < 30; day += 1)
      folder.write(`memory/202610/202610${day}.md`, `- Walked ${day} miles, met Paul at the shop\n`, 'daily');
    folder.write('memory/202611/20261119.md', `- ${note}\n`, 'daily');
    for (const day of [1, 2, 3])
      folder.write(`sessions/s${day}`, asked(`${question} ${'!'.repeat(day)}`), 'session');
    await using index = openMemoryIndex({ path: folder.index('index.db'), onNotice: folder.onNotice });
    await index.sync(folder.texts);
    const hits = await index.search(question, { now });
    expect(hits[0]).toMatchObject({ source: expect.stringMatching(/^(?:daily|memory)$/) });
    expect(hits[0]?.text).toContain(note);
    // They are still found.
    expect(hits.map(({ source }) => source)).toContain('session');
  },
);

it('finds facts that only a session holds [M3]', async () => {
  using folder = new TextFolder();
  folder.write('MEMORY.md', '- The cat is called Oskar.');
  folder.write(
    'sessions/s',
    '# 2026-11-20 Trip\n\nuser: We take the night train to Lisbon in June.\n',
    'session',
  );
  await using index = openMemoryIndex({ path: folder.index('index.db'), onNotice: folder.onNotice });
  await index.sync(folder.texts);
  const [hit] = await index.search('Which train do we take to Lisbon?', { now });
  expect(hit).toMatchObject({ source: 'session', path: 'sessions/s' });
});
