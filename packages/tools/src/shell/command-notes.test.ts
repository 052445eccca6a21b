import { describe, expect, it } from 'vitest';
import { commandNotes } from './shell-result.ts';

const SERVER = /background: true/;
const LOCAL = /not even on localhost/;
const NETWORK = /name the hosts it needs/;

const notes = (command: string, facts = {}) =>
  commandNotes(command, '/tmp/work', { failed: false, reachesHosts: false, ...facts });

describe('the notes of a command whose process would vanish silently', () => {
  it.each<[string, readonly RegExp[]]>([
    ['python3 -m http.server &', [SERVER]],
    ['(sleep 5; echo x)& echo done', [SERVER]],
    ['make > log 2>&1 && echo ok', []],
    ['make &> log', []],
    ['make |& tee log', []],
    ['echo "a & b" \'c & d\' e\\&f', []],
    ['echo x > /tmp/note', []],
    ['npm install --prefix ~/tools', []],
    ['cp a "$HOME/a"', []],
    ['f=$(mktemp); echo x > $f', []],
    ['cat /tmp/work/a.txt; ls src/tmp/', []],
    ['serve & echo > /tmp/pid', [SERVER]],
    ['curl -s localhost:3000', []],
  ])('%j', (command, expected) => {
    const told = notes(command);
    expect(told).toHaveLength(expected.length);
    for (const [at, pattern] of expected.entries()) expect(told[at]).toMatch(pattern);
  });

  it.each<[string, boolean, RegExp | undefined]>([
    ['curl -s localhost:3000', false, LOCAL],
    ['curl -s http://127.0.0.1:3000', true, LOCAL],
    ['curl -s https://example.org', false, NETWORK],
    ['curl -s https://example.org', true, undefined],
    ['make', false, undefined],
  ])('%j that failed, with hosts: %j', (command, reachesHosts, expected) => {
    const [note] = notes(command, { failed: true, reachesHosts });
    if (expected === undefined) expect(note).toBeUndefined();
    else expect(note).toMatch(expected);
  });

  it('takes no time over any text', () => {
    const start = process.cpuUsage();
    for (const unit of ['&', "'", '\\', '/tmp', '$HOME', ' ~', 'http']) notes(unit.repeat(1_000_000));
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000);
  });
});
