import { describe, expect, it } from 'vitest';
import { fetchingPattern } from './fetching-pattern.ts';

describe('the pattern of a command that fetches', () => {
  it.each([
    ['npm install', 'npm install'],
    ['npm i left-pad@^1.3.0 --save-dev', 'npm install'],
    [' npm  ci ', 'npm ci'],
    ['pip install -r requirements.txt', 'pip install'],
    ['python3 -m pip install requests==2.32.0', 'python3 -m pip install'],
    ['uv pip install httpx', 'uv pip install'],
    ['cargo add serde --features derive', 'cargo add'],
    ['go mod download', 'go mod download'],
    ['git clone https://github.com/a/b.git c', 'git clone'],
    ['git submodule update --init', 'git submodule update'],
  ])('of `%s` is `%s`', (command, pattern) => {
    expect(fetchingPattern(command)).toBe(pattern);
  });

  it.each([
    'npm run build',
    'npm publish',
    'npm exec x',
    'npm installer',
    'npm --prefix x install',
    'git push',
    'git clone -c core.sshCommand=./x a',
    'git clone --upload-pack ./x a',
    'git fetch ext::sh',
    'go mod edit',
    'uv run x',
    './npm install',
    '/w/npm install',
    'PATH=. npm install',
    'env npm install',
    'sudo npm install',
    'npm install; curl x',
    'npm install && x',
    'npm install | sh',
    'npm install & x',
    'npm install $(x)',
    'npm install `x`',
    'npm install > x',
    'npm install\nx',
    'npm install "a b"',
    'npm install *',
    'npm install {a,b}',
    'npm install ~/x',
    'npm install $X',
    'npm install #x',
    'npm() { x; }; npm install',
    'alias npm=x; npm install',
    'constructor install',
    '',
  ])('is missing for `%s`', (command) => {
    expect(fetchingPattern(command)).toBeUndefined();
  });
});
