import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readStrictYaml } from './strict-yaml.ts';

const schema = z.strictObject({
  server: z.strictObject({ port: z.int().min(0).max(65_535) }).optional(),
  models: z.record(z.string(), z.strictObject({ provider: z.string() })).default({}),
  roots: z.array(z.strictObject({ path: z.string() })).optional(),
});

const parse = (text: string) => readStrictYaml(text, 'config.yaml', schema, { empty: {} }).value;

describe('readStrictYaml', () => {
  it('reads what the schema knows', () => {
    expect(parse('server:\n  port: 7411\n')).toEqual({ server: { port: 7411 }, models: {} });
  });

  it('takes an empty file for an empty document', () => {
    expect(parse('')).toEqual({ models: {} });
    expect(parse('# nothing yet\n')).toEqual({ models: {} });
  });

  it.each([
    ['a: 1\n', 'config.yaml:1:1: unknown key "a"'],
    ['server:\n  prot: 1\n', 'config.yaml:2:3: unknown key "server.prot"'],
    ['server:\n  port: many\n', 'config.yaml:2:3: server.port'],
    ['roots:\n  - path: x\n  - pfad: y\n', 'config.yaml:3:'],
    ['server: {port: 1}\nserver: {port: 2}\n', 'config.yaml:2:1'],
    ['server: &a {port: 1}\n', 'an anchor is not allowed'],
    ['server: !!js/function "x"\n', 'config.yaml:1:9'],
    ['server: [\n', 'config.yaml:'],
  ])('names the place of the mistake in %j', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('complains about a place the schema has no rule for', () => {
    const { fail } = readStrictYaml('server:\n  port: 1\n', 'config.yaml', schema);
    expect(fail(['server', 'port'], 'too low').message).toBe('config.yaml:2:3: too low');
  });

  it('uses the words it is given', () => {
    const wording = (issue: { readonly code: string }) => `wrong: ${issue.code}`;
    expect(() => readStrictYaml('server: { port: many }', 'c', schema, { wording })).toThrow(
      'c:1:11: server.port: wrong: invalid_type',
    );
    expect(() => readStrictYaml('sever: 1', 'c', schema)).toThrow('unknown key "sever"');
  });

  it('takes 20,000 keys in one pass', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');
    const started = process.cpuUsage();
    expect(() => parse(text)).toThrow('unknown key "k0"');
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });

  it('lists the known keys beside an unknown one', () => {
    try {
      parse('server:\n  prot: 1\n');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'config_invalid', fix: 'Known keys here: port.' });
    }
  });
});
