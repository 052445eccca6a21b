/** A link's target, and its shown form. */
export interface SafeLink {
  readonly href: string;
  /** The host, or the mail address: what a person needs to see before following it. */
  readonly target: string;
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const LONGEST = 2_048;

/**
 * Allowed links of model text: complete web addresses and mail addresses, but none to this page,
 * whose paths have effects.
 *
 * @param address as in the text
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
