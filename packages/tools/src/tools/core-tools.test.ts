import { BulkheadError } from '@bulkhead/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreTools } from './every-tool.ts';

/**
 * An upper bound for the common tokenizers: words in pieces of 8 letters, punctuation in pieces of
 * 3.
 */
function tokensAtMost(text: string): number {
  const pieces = text.match(/[A-Za-z]{1,8}|\d{1,3}|\s+|[^A-Za-z\d\s]{1,3}/g) ?? [];
  return pieces.filter((piece) => piece.trim() !== '').length;
}

function tool(name: string) {
  const found = coreTools.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

function refusal(name: string, input: unknown): string {
  try {
    tool(name).parse(input);
  } catch (error) {
    if (BulkheadError.is(error) && error.code === 'invalid_arguments') return error.message;
    throw error;
  }
  return 'accepted';
}

/** Valid arguments for every tool. */
const VALID: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  read: { path: 'a' },
  write: { path: 'a', content: 'b' },
  edit: { path: 'a', old_text: 'b', new_text: 'c' },
  ls: {},
  find: { pattern: '*.ts' },
  grep: { pattern: 'x' },
  bash: { command: 'true' },
};

describe('the core tools', () => {
  it('are the seven with their groups, rights and effect classes [B2, L4]', () => {
    const facts = coreTools.map(({ name, group, readOnly, effect }) => [name, group, readOnly, effect]);
    expect(facts).toEqual([
      ['read', 'files', true, 'pure'],
      ['write', 'files', false, 'idempotent'],
      ['edit', 'files', false, 'idempotent'],
      ['ls', 'files', true, 'pure'],
      ['find', 'files', true, 'pure'],
      ['grep', 'files', true, 'pure'],
      ['bash', 'shell', false, 'once'],
    ]);
  });

  it('cost a model at most 480 tokens together [B6]', () => {
    const wire = coreTools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    }));
    expect(tokensAtMost(JSON.stringify(wire))).toBeLessThanOrEqual(480);
  });

  it('tell the model every argument and which are required', () => {
    expect(tool('grep').inputSchema).toEqual({
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'regex' },
        path: { type: 'string' },
        glob: { type: 'string' },
        ignore_case: { type: 'boolean' },
        limit: { type: 'integer' },
      },
      required: ['pattern'],
    });
    expect(tool('ls').inputSchema).not.toHaveProperty('required');
  });

  it('fill in defaults and nothing else', () => {
    expect(tool('ls').parse({}).arguments).toEqual({ path: '.', offset: 0, limit: 500 });
    expect(tool('read').parse({ path: 'a' }).arguments).toEqual({ path: 'a', offset: 1, limit: 2000 });
    expect(tool('bash').parse({ command: 'ls' }).arguments).toEqual({ command: 'ls', timeout_seconds: 120 });
  });

  it('name the paths they touch, and bash its command', () => {
    expect(tool('read').parse({ path: 'x/y' }).paths).toEqual([{ path: 'x/y', access: 'read' }]);
    expect(tool('ls').parse({}).paths).toEqual([{ path: '.', access: 'read' }]);
    expect(tool('write').parse(VALID['write'] ?? {}).paths).toEqual([{ path: 'a', access: 'write' }]);
    expect(tool('edit').parse(VALID['edit'] ?? {}).paths).toEqual([
      { path: 'a', access: 'read' },
      { path: 'a', access: 'write' },
    ]);
    expect(tool('bash').parse({ command: 'rm x' }).command).toBe('rm x');
    expect(tool('bash').parse({ command: 'rm x' }).hosts).toEqual([]);
    expect(tool('bash').parse({ command: 'rm x', hosts: ['a.org'] }).hosts).toEqual(['a.org']);
    expect(tool('bash').inputSchema).toMatchObject({
      properties: { hosts: { type: 'array', items: { type: 'string' } } },
      required: ['command'],
    });
    expect(tool('bash').parse({ command: 'serve', background: true }).background).toBe(true);
    expect(tool('bash').parse({ command: 'serve' }).background).toBeUndefined();
    expect(tool('bash').parse({ command: 'serve', background: true, live: true }).live).toBe(true);
    expect(refusal('bash', { command: 'serve', live: true })).toContain('in the background');
    expect(tool('ls').parse({}).command).toBeUndefined();
    expect(coreTools.filter(({ runsCommand }) => runsCommand).map(({ name }) => name)).toEqual(['bash']);
    expect(coreTools.filter(({ usesNetwork }) => usesNetwork).map(({ name }) => name)).toEqual(['bash']);
  });
});

describe('hostile arguments [FT22]', () => {
  it.each(coreTools.map(({ name }) => name))('%s refuses unknown keys and keys of prototypes', (name) => {
    const valid = VALID[name] ?? {};
    expect(refusal(name, valid)).toBe('accepted');
    expect(refusal(name, { ...valid, extra: 1 })).toContain('unknown argument "extra"; known: ');
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const text = JSON.stringify(valid).replace(
        /\}$/,
        `${Object.keys(valid).length > 0 ? ',' : ''}"${key}":{"polluted":1}}`,
      );
      expect(refusal(name, JSON.parse(text))).toContain(`unknown argument "${key}"`);
    }
    expect({}).not.toHaveProperty('polluted');
  });

  it.each(coreTools.map(({ name }) => name))('%s refuses what is no plain object', (name) => {
    for (const input of [
      null,
      undefined,
      1,
      'a',
      [],
      [VALID[name]],
      new Map(),
      Object.create(VALID[name] ?? {}),
    ]) {
      expect(refusal(name, input)).toContain('JSON object');
    }
  });

  it.each([
    ['read', { path: 1 }, 'path: expected string, received number'],
    ['read', {}, 'path: is missing'],
    ['read', { path: '' }, 'path: is empty'],
    ['read', { path: 'a\0b' }, 'path: has a NUL character'],
    ['read', { path: 'a'.repeat(4097) }, 'path: is longer than 4096 bytes'],
    ['read', { path: 'ä'.repeat(2049) }, 'path: is longer than 4096 bytes'],
    ['read', { path: 'a', offset: 0 }, 'offset'],
    ['read', { path: 'a', limit: Number.POSITIVE_INFINITY }, 'limit'],
    ['read', { path: 'a', limit: 1.5 }, 'limit'],
    ['read', { path: 'a', limit: '5' }, 'limit'],
    ['ls', { offset: -1 }, 'offset'],
    ['write', { path: 'a', content: '\ud800' }, 'lone surrogate'],
    ['write', { path: 'a', content: 'x'.repeat(4 * 1024 * 1024 + 1) }, 'is longer than'],
    ['edit', { path: 'a', old_text: '', new_text: 'b' }, 'old_text: is empty'],
    ['edit', { path: 'a', old_text: 'b', new_text: 'b' }, 'are the same'],
    ['grep', { pattern: 'x', ignore_case: 'yes' }, 'ignore_case'],
    ['bash', { command: 'x'.repeat(100_001) }, 'is longer than'],
    ['bash', { command: 'a\0b' }, 'NUL'],
    ['bash', { command: 'true', timeout_seconds: 601 }, 'timeout_seconds'],
    ['bash', { command: ['rm', '-rf'] }, 'command: expected string'],
    ['bash', { command: 'true', hosts: 'a.org' }, 'hosts: expected array'],
    ['bash', { command: 'true', hosts: ['http://a.org'] }, 'hosts.0: '],
    ['bash', { command: 'true', hosts: ['A.org'] }, 'hosts.0: is written a.org'],
    ['bash', { command: 'true', hosts: ['*'] }, 'hosts.0: '],
    ['bash', { command: 'true', hosts: Array(17).fill('a.org') }, 'hosts'],
  ])('%s refuses bad arguments (case %#)', (name, input, message) => {
    expect(refusal(name, input)).toContain(message);
  });

  it('ends in a refusal or a parse for any JSON, and changes no prototype', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).length;
    fc.assert(
      fc.property(fc.constantFrom(...coreTools), fc.jsonValue(), (candidate, input) => {
        try {
          expect(typeof candidate.parse(input)).toBe('object');
        } catch (error) {
          expect(BulkheadError.is(error) && error.code).toBe('invalid_arguments');
        }
      }),
    );
    expect(Object.getOwnPropertyNames(Object.prototype).length).toBe(before);
  });

  it('survives arguments nested a hundred thousand deep', () => {
    const deep: unknown = JSON.parse(`{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(refusal('read', deep)).toContain('path: expected string, received array');
  });
});
