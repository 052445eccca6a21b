import { describe, expect, it } from 'vitest';
import { KnownSecrets } from './known-secrets.ts';

describe('the values of files', () => {
  it('are known to a stream that was made before and has not begun [A7]', () => {
    const secrets = new KnownSecrets(() => []);
    const stream = secrets.redactor();
    const begun = secrets.redactor();
    begun.push('text ');
    expect(secrets.learn(['value-of-a-file'])).toBe(true);
    expect(stream.push('a value-of-a-file b') + stream.end()).toBe('a [redacted:secret] b');
    expect(secrets.redact(Buffer.from('value-of-a-file').toString('base64'))).toContain('[redacted:secret]');
  });

  it('are not learned without room for all of them: then nothing of them is to be shown [A7]', () => {
    const secrets = new KnownSecrets(() => []);
    const values = (count: number, name: string) =>
      Array.from({ length: count }, (_, at) => `value-${name}-${at}`);
    expect(secrets.learn(values(1_000, 'a'))).toBe(true);
    expect(secrets.learn(values(1_000, 'a'))).toBe(true);
    expect(secrets.learn(values(30, 'b'))).toBe(false);
    expect(secrets.redact('value-b-1')).toBe('value-b-1');
    expect(secrets.learn(values(24, 'c'))).toBe(true);
    expect(secrets.redact('value-c-23 value-a-999')).toBe('[redacted:secret] [redacted:secret]');
  });
});
