import { posix } from 'node:path';
import { succeeded, type TracedCall, unquoted } from './traced-calls.ts';

/** An effect of a system call, done or begun, outside its own memory. */
export interface TracedEffect {
  readonly kind: 'file' | 'exec' | 'connect';
  /** Absolute path, or `?/…` of a name whose folder the trace doesn't tell; for a connection `host:port`, `unix:…` or its family. */
  readonly target: string;
  readonly call: TracedCall;
}

/** Which path an open descriptor of a process leads to. */
export type DescriptorPath = (fd: string) => string | undefined;

/** Their last name is what comes to be; the first is only looked at, or is any text. */
const LAST_NAME = /^(link|linkat|symlink|symlinkat)$/;
const NAMES =
  /^(mkdir|mkdirat|rmdir|unlink|unlinkat|rename|renameat|renameat2|chmod|fchmodat|fchmodat2|chown|lchown|fchownat|truncate|utime|utimes|futimesat|utimensat|mknod|mknodat|l?setxattr|l?removexattr)$/;
const OPENS = /^(open|openat|openat2|creat)$/;
const WRITING = /\bO_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE)\b/;
const DESCRIPTORS =
  /^(write|pwrite64|writev|pwritev|pwritev2|sendfile|ftruncate|fallocate|fchmod|fchown|fsetxattr|fremovexattr|utimensat)$/;
const INTO_SECOND = /^(splice|copy_file_range)$/;
const REACHES = /^(connect|bind|sendto|sendmsg|sendmmsg)$/;

/** The effects of a call; none if it failed, but a connection may still come to be. */
export function effectsOf(call: TracedCall, pathOf: DescriptorPath): readonly TracedEffect[] {
  const { name } = call;
  if (REACHES.test(name)) return reached(call);
  if (!succeeded(call)) return [];
  const effect = (kind: TracedEffect['kind'], target: string): TracedEffect => ({ kind, target, call });
  if (name === 'execve' || name === 'execveat')
    return namesOf(call, pathOf)
      .slice(0, 1)
      .map((target) => effect('exec', target));
  return changedBy(call, pathOf)
    .filter((path) => path.startsWith('/') || path.startsWith('?'))
    .map((path) => effect('file', path));
}

function changedBy(call: TracedCall, pathOf: DescriptorPath): readonly string[] {
  const { name } = call;
  const names = namesOf(call, pathOf);
  if (OPENS.test(name))
    return name === 'creat' || WRITING.test(withoutTexts(call.args)) ? opened(call, names) : [];
  if (LAST_NAME.test(name)) return names.slice(-1);
  if (NAMES.test(name) && names.length > 0) return names.slice(0, name.startsWith('rename') ? 2 : 1);
  const descriptors = descriptorsOf(withoutTexts(call.args)).map(([, path]) => path);
  if (INTO_SECOND.test(name)) return descriptors.slice(1, 2);
  return DESCRIPTORS.test(name) ? descriptors.slice(0, 1) : [];
}

/** Returns the opened file, as the kernel names it: links are followed. */
function opened({ result }: TracedCall, names: readonly string[]): readonly string[] {
  const [, path] = /^\d+<(\/[^>]*)>/.exec(result) ?? [];
  return path === undefined ? names : [path];
}

function reached(call: TracedCall): readonly TracedEffect[] {
  if (!succeeded(call) && !call.result.includes('EINPROGRESS')) return [];
  const address = addressIn(call.args);
  if (address === undefined) return [];
  if (call.name !== 'bind') return [{ kind: 'connect', target: address, call }];
  // A name of its own is made by this.
  return address.startsWith('unix:/') ? [{ kind: 'file', target: address.slice('unix:'.length), call }] : [];
}

/** Undefined if a call names no address, as on a connection that is made. */
function addressIn(args: string): string | undefined {
  const [, family] = /sa_family=AF_(\w+)/.exec(args) ?? [];
  const [, at, local] = /sun_path=(@?)"([^"]*)"/.exec(args) ?? [];
  if (local !== undefined) return `unix:${at}${unquoted(local)}`;
  const [, host] = /inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]*)"/.exec(args) ?? [];
  const [, port = '0'] = /sin6?_port=htons\((\d+)\)/.exec(args) ?? [];
  if (host !== undefined) return `${host}:${port}`;
  // These ask the kernel, and reach no other program.
  return family === 'NETLINK' || family === 'UNSPEC' ? undefined : family;
}

/** Descriptors in a text of the tracer, with the paths it wrote beside them. */
export function descriptorsOf(text: string): readonly (readonly [fd: string, path: string])[] {
  return [...text.matchAll(/\b(\d+)<(\/[^>]*)>/g)].map(([, fd = '', path = '']) => [fd, path] as const);
}

export function withoutTexts(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** Names of files among the arguments, made absolute by what they are relative to. */
function namesOf({ args, name: call }: TracedCall, pathOf: DescriptorPath): readonly string[] {
  // Of a program that is started its own arguments are no names.
  const own = call.startsWith('execve') ? args.slice(0, args.indexOf(', [')) : args;
  return [...own.matchAll(/(?:(?:AT_FDCWD|\d+)<(\/[^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)].map(
    ([, base, text = '']) => {
      const name = unquoted(text);
      const [, fd, below = ''] = /^\/proc\/self\/fd\/(\d+)(\/.*)?$/.exec(name) ?? [];
      if (fd !== undefined) return posix.normalize(`${pathOf(fd) ?? '?'}${below}`);
      if (name.startsWith('/')) return posix.normalize(name);
      return base === undefined ? `?/${name}` : posix.join(base, name);
    },
  );
}
