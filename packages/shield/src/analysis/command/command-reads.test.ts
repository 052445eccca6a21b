import { expect, it } from 'vitest';
import { createCommandReads } from './command-reads.ts';

const readsOf = createCommandReads('/home/ada');

it.each([
  ['cat prod.tfstate passwords.txt', ['/w/prod.tfstate', '/w/passwords.txt']],
  ['cd sub && head -1 < notes.txt', ['/w/sub/notes.txt']],
  ['sh -c "base64 /w/key.txt"', ['/w/key.txt']],
  ['f=passwords; grep x "$f".txt | tail -1', ['/w/passwords.txt']],
])('%s reads what it reads, whatever the spelling [H2]', (command, paths) => {
  expect(readsOf(command, '/w')).toEqual(expect.arrayContaining(paths));
});

it('a command that reads nothing reads nothing', () => {
  expect(readsOf('echo hello', '/w')).toEqual([]);
});
