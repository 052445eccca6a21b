import { expect, it } from 'vitest';
import { readCommand } from './analyse-command.ts';

const place = { workingFolder: '/w', home: '/home/ada', hosts: [] };

/** The files that a command stores what it fetches in. */
function stored(command: string): readonly string[] {
  return readCommand(command, place).effects.flatMap((effect) =>
    effect.verb === 'write' ? [effect.place?.path ?? '?'] : [],
  );
}

it.each([
  ['curl https://a.example/d/x.sh', []],
  ['curl -O https://a.example/d/x.sh', ['/w/x.sh']],
  ['curl --remote-name-all https://a.example/x https://a.example/y', ['/w/x', '/w/y']],
  ['curl -o out https://a.example/x.sh', ['/w/out']],
  ['curl -o - https://a.example/x.sh', []],
  ['curl -O --output-dir sub https://a.example/x.sh', ['/w/sub/x.sh']],
  ['wget https://a.example/x.sh', ['/w/x.sh']],
  ['wget -P sub https://a.example/x.sh', ['/w/sub/x.sh']],
  ['wget -O out https://a.example/x.sh', ['/w/out']],
  ['wget -O - https://a.example/x.sh', []],
])('stores what it fetches: %s [H1]', (command, files) => {
  expect(stored(command)).toEqual(files);
});
