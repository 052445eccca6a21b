/** Public content of a PEM file (RFC 7468, and OpenSSL's older labels for the same). */
const PUBLIC: ReadonlySet<string> = new Set([
  'CERTIFICATE',
  'TRUSTED CERTIFICATE',
  'X509 CERTIFICATE',
  'CERTIFICATE REQUEST',
  'NEW CERTIFICATE REQUEST',
  'X509 CRL',
  'PUBLIC KEY',
  'RSA PUBLIC KEY',
  'DH PARAMETERS',
]);

const BEGIN = /^-----BEGIN ([A-Z0-9 ]{1,40})-----[ \t]*$/;
const BASE64 = /^[A-Za-z0-9+/]{1,76}={0,2}[ \t]*$/;
/**
 * Bundles name the subject of each certificate above it. Longer words than these could be a secret.
 */
const REMARK = /^(?:[#=\t ]|[A-Za-z][A-Za-z0-9 ()._-]{0,60}[:=]|[A-Za-z0-9 .,()'&_-]{1,80}$)/;
const LONG_WORD = /[A-Za-z0-9+/_-]{65}/;

/**
 * True for a text of only certificates, public keys and remarks about them.
 *
 * @param text of a file
 */
export function isPublicCertificates(text: string): boolean {
  const lines = text.split(/\r?\n/);
  let blocks = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const label = BEGIN.exec(lines[at] ?? '')?.[1];
    if (label === undefined) {
      if (!isRemark(lines[at] ?? '')) return false;
      continue;
    }
    let end = at + 1;
    while (BASE64.test(lines[end] ?? '')) end += 1;
    if (!PUBLIC.has(label) || lines[end]?.trimEnd() !== `-----END ${label}-----`) return false;
    blocks += 1;
    at = end;
  }
  return blocks > 0;
}

function isRemark(line: string): boolean {
  if (line.trim() === '') return true;
  return REMARK.test(line) && !LONG_WORD.test(line) && !/private|password|secret|token|-----/i.test(line);
}
