/** Kind of a host, by its name alone. */
export type HostKind = 'metadata' | 'loopback' | 'internal' | 'raw-public' | 'public';

/** Names and addresses of cloud services that give credentials to any local client. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
  'rancher-metadata',
]);
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.169.253',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '[fd00:ec2::254]',
  '[fd00:ec2::23]',
  '[fd20:ce::254]',
]);
/**
 * Ends of names that no public resolver knows (RFC 2606, 6761, 6762, 8375), or that companies use
 * internally.
 */
const INTERNAL_ENDS =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|intra|corp|lan|home|private|home\.arpa|test|onion|svc|cluster\.local)$/;
/** Resolvers that return the address written in the name. */
const ADDRESS_RESOLVERS =
  /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|traefik\.me|localtest\.me|lvh\.me|vcap\.me|rbndr\.us|1u\.ms)$/;

/**
 * @param host as `URL` writes it: lower-case ASCII, IPv4 in four decimal parts, IPv6 in brackets
 */
export function hostKind(host: string): HostKind {
  const name = host.replace(/\.$/, '');
  if (METADATA_NAMES.has(name) || METADATA_ADDRESSES.has(name)) return 'metadata';
  if (name.startsWith('[')) return ipv6Kind(name);
  const parts = ipv4Parts(name);
  if (parts !== undefined) return ipv4Kind(parts);
  if (ADDRESS_RESOLVERS.test(name)) return writtenKind(name);
  if (INTERNAL_ENDS.test(name)) return name.endsWith('localhost') ? 'loopback' : 'internal';
  return name.includes('.') ? 'public' : 'internal';
}

/** True for the names and addresses by which programs reach servers of their own machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/.test(host);
}

function ipv4Parts(name: string): readonly number[] | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(name);
  return match === null ? undefined : match.slice(1).map(Number);
}

/** Special-purpose addresses of IANA's registry (RFC 6890). */
function ipv4Kind(parts: readonly number[]): HostKind {
  if (METADATA_ADDRESSES.has(parts.join('.'))) return 'metadata';
  const [a = 0, b = 0, c = 0] = parts;
  if (a === 127 || a === 0) return 'loopback';
  const internal =
    a === 10 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 192 && b === 0 && c === 0) ||
    (a === 198 && (b === 18 || b === 19)) ||
    a >= 224;
  return internal ? 'internal' : 'raw-public';
}

function ipv6Kind(host: string): HostKind {
  const address = host.slice(1, -1);
  if (address === '::1' || address === '::') return 'loopback';
  // IPv4-mapped, compatible, NAT64 and 6to4 addresses carry an IPv4 address in hex.
  const carried = /^(?:::ffff:|::|64:ff9b::|64:ff9b:1::)(?:0:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(
    address,
  );
  const sixToFour = /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4})(?::|$)/.exec(address);
  const pair = carried ?? sixToFour;
  if (pair !== null) return ipv4Kind(bytesOf(pair[1], pair[2]));
  return /^(?:f[cd]|fe[89ab]|fe[c-f]|ff)/.test(address) ? 'internal' : 'raw-public';
}

function bytesOf(high = '0', low = '0'): readonly number[] {
  const both = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return both.flatMap((word) => [word >> 8, word & 0xff]);
}

function writtenKind(name: string): HostKind {
  const address = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?=\.)/.exec(name);
  const kind = address === null ? 'internal' : ipv4Kind(address.slice(1).map(Number));
  return kind === 'raw-public' ? 'internal' : kind;
}

/**
 * Services where anyone can collect what anyone sends: request catchers, drop boxes, pastes,
 * tunnels.
 */
const DROP_SERVICES: ReadonlySet<string> = new Set(
  `webhook.site requestbin.com requestbin.net pipedream.net beeceptor.com hookbin.com requestcatcher.com mockbin.org
  interact.sh oast.pro oast.live oast.site oast.online oast.fun oast.me burpcollaborator.net oastify.com dnslog.cn ceye.io
  canarytokens.com pastebin.com paste.ee pastie.org hastebin.com dpaste.org dpaste.com ix.io sprunge.us termbin.com
  privatebin.net ghostbin.com rentry.co controlc.com 0x0.st x0.at file.io transfer.sh temp.sh bashupload.com
  anonfiles.com gofile.io catbox.moe uguu.se wetransfer.com sendspace.com mega.nz mega.io oshi.at filebin.net tmpfiles.org
  ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt localhost.run serveo.net
  localtunnel.me pagekite.me bore.pub telebit.cloud playit.gg portmap.io`.split(/\s+/),
);
/** For services with other uses: the paths that accept a message or a text. */
const DROP_PATHS: readonly (readonly [host: string, path: RegExp])[] = [
  ['discord.com', /^\/api\/(?:v\d+\/)?webhooks\//],
  ['discordapp.com', /^\/api\/(?:v\d+\/)?webhooks\//],
  ['api.telegram.org', /^\/bot/],
  ['hooks.slack.com', /^\//],
  ['api.github.com', /^\/gists\/?$/],
  ['webhook.office.com', /^\//],
];

/** True if the person who created the address can read the data sent to it. */
export function isDropService(host: string, path: string): boolean {
  const names = host.split('.');
  const parents = names.slice(0, -1).map((_, at) => names.slice(at).join('.'));
  if (parents.some((name) => DROP_SERVICES.has(name))) return true;
  return DROP_PATHS.some(([name, at]) => (host === name || host.endsWith(`.${name}`)) && at.test(path));
}
