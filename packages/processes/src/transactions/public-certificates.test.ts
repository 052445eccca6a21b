import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicCertificates } from './public-certificates.ts';

const block = (label: string, body = 'MIIBszCCAVmgAwIBAgIU\nAbCd+/==') =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
const certificate = block('CERTIFICATE');

describe('isPublicCertificates', () => {
  it.each([
    ['one', certificate],
    [
      'a bundle with remarks',
      `# Issuer: CN=Root\n# Serial: 12\n${certificate}\n\nRoot CA\n=======\n${certificate}`,
    ],
    ['a public key, with other ends of lines', block('PUBLIC KEY').replaceAll('\n', '\r\n')],
    ['one with its text', `Certificate:\n    Data:\n        Version: 3 (0x2)\n${certificate}`],
  ])('takes %s for public', (_what, text) => {
    expect(isPublicCertificates(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['no block', '# a remark\n'],
    ['a private key', block('PRIVATE KEY')],
    ['a private key behind a certificate', `${certificate}${block('EC PRIVATE KEY')}`],
    ['a private key in a certificate', block('CERTIFICATE', `MII\n${block('PRIVATE KEY')}`)],
    ['a block without an end', '-----BEGIN CERTIFICATE-----\nMII\n'],
    ['a block that ends as another', '-----BEGIN CERTIFICATE-----\nMII\n-----END PUBLIC KEY-----\n'],
    ['a long word beside it', `${certificate}# ${'a'.repeat(70)}\n`],
    ['a password beside it', `# password: x\n${certificate}`],
    ['headers of an encrypted block', block('CERTIFICATE', 'Proc-Type: 4,ENCRYPTED\nMII')],
  ])('takes %s for no public one', (_what, text) => {
    expect(isPublicCertificates(text)).toBe(false);
  });

  it('never takes a text with a private key in it for public', () => {
    const labels = fc.constantFrom(
      'PRIVATE KEY',
      'RSA PRIVATE KEY',
      'OPENSSH PRIVATE KEY',
      'ENCRYPTED PRIVATE KEY',
    );
    const other = fc.string({ maxLength: 40 });
    fc.assert(
      fc.property(labels, other, other, (label, before, after) => {
        expect(isPublicCertificates(`${certificate}${before}\n${block(label)}${after}\n${certificate}`)).toBe(
          false,
        );
      }),
    );
  });
});
