/** Where a link leads, and how that is shown. */
export interface SafeLink {
  readonly href: string;
  /** The host, or the address of a mail: what a person needs to see before following it. */
  readonly target: string;
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const LONGEST = 2_048;

/**
 * Which links of model text may be followed: whole web addresses and mail addresses, none into this very page, whose paths mean
 * something.
 *
 * @param address as the text has it
 * @param origin of this page
 * @returns undefined for any other, which is shown as text
 */
export function safeLink(address: string, origin: string): SafeLink | undefined {
  if (address.length > LONGEST || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!SCHEMES.has(url.protocol) || url.origin === origin) return undefined;
  if (url.protocol === 'mailto:') return { href: url.href, target: decodeMail(url.pathname) };
  return { href: url.href, target: url.host };
}

function decodeMail(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
