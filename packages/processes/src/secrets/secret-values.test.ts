import { describe, expect, it } from 'vitest';
import { secretValues } from './secret-values.ts';

const of = (text: string) => [...(secretValues(text) ?? [])].toSorted();

describe('secretValues', () => {
  it.each([
    ['plain', 'API=k3y-abc123def456', ['k3y-abc123def456']],
    ['exported', 'export API=k3y-abc123def456', ['k3y-abc123def456']],
    ['in double quotes', 'API="k3y abc123 def456"', ['k3y abc123 def456']],
    ['in single quotes', "API='k3y-abc123def456'", ['k3y-abc123def456']],
    ['before a comment', 'API=k3y-abc123def456 # live', ['k3y-abc123def456', 'k3y-abc123def456 # live']],
    ['of npmrc', '//npm.test/:_authToken=npm_abc123def456', ['npm_abc123def456']],
    ['an address with a password', 'DB=postgres://ada:pw1@db.test/x', ['postgres://ada:pw1@db.test/x']],
    ['commented out', '# API=k3y-abc123def456', ['k3y-abc123def456']],
    ['with two equals signs', 'API=abc123def456==', ['abc123def456==']],
  ])('finds a value %s', (_how, text, expected) => {
    expect(of(text)).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    'PORT=8080',
    'NODE_ENV=development',
    'LOG_LEVEL=verbose',
    'URL=http://127.0.0.1:3000/path',
    'ROOT=/var/lib/app',
    'REGION=eu-central-1',
    'TITLE="My little shop"',
    '# this file belongs to the project',
    '[section]',
    'save-exact=true',
    '',
  ])('leaves %j as it is', (text) => {
    expect(of(text)).toEqual([]);
  });

  it('hides the line of a secret that is a word or too short', () => {
    expect(of('DB_PASSWORD=postgres')).toEqual(['DB_PASSWORD=postgres']);
    expect(of('PIN=4711')).toEqual(['PIN=4711']);
    expect(of('CODE=x1%y!')).toEqual(['CODE=x1%y!']);
  });

  it('finds each line of a value of several, and what escapes stand for', () => {
    const key = '-----BEGIN X-----\nMIIabc123def456ghi\nxyz789xyz789\n-----END X-----';
    expect(of(`KEY="${key}"`)).toEqual(expect.arrayContaining([key, 'MIIabc123def456ghi', 'xyz789xyz789']));
    expect(of('KEY="abc123\\ndef456"')).toEqual(
      expect.arrayContaining(['abc123\ndef456', 'abc123\\ndef456']),
    );
  });

  it('finds the texts of JSON', () => {
    expect(of('{"a": {"b": ["k3y-abc123def456"]}, "c": "development"}')).toContain('k3y-abc123def456');
  });

  it('refuses what holds too much to look for', () => {
    const many = Array.from({ length: 400 }, (_, at) => `K${at}=v4lue-${at}-abcdef123`).join('\n');
    expect(secretValues(many)).toBeUndefined();
    expect(secretValues(`K=${'a1b2'.repeat(5_000)}`)).toBeUndefined();
  });
});
