/** One system call of a trace that came to its end. */
export interface TracedCall {
  /** The thread that made it, as the tracer numbers it. */
  readonly pid: number;
  readonly name: string;
  /** Between its brackets, as the tracer writes it. */
  readonly args: string;
  /** The text after the equals sign. */
  readonly result: string;
  /** Lines of the trace on which it began and ended. */
  readonly begun: number;
  readonly ended: number;
}

/** Calls that change, start or reach anything, and those that show the process of a thread. */
const CALLS = [
  '%file,%process,%network,pivot_root,unshare,write,pwrite64,writev,pwritev,pwritev2,sendfile,splice,copy_file_range',
  'ftruncate,fallocate,fchmod,fchown,fsetxattr,fremovexattr,fsync,fdatasync,io_uring_setup',
].join(',');

/** Records texts completely: the entries of the audit log are read from the trace. */
const TEXT_BYTES = '65536';

/** The tracer and its first arguments: it follows all children, writes names of descriptors, and its own numbers of processes. */
export function tracerOf(log: string): readonly string[] {
  const names = ['-y', '--decode-pids=pidns', '-s', TEXT_BYTES];
  return ['strace', '-f', '-qq', ...names, '-o', log, '-e', `trace=${CALLS}`];
}

/** @param trace as `tracerOf` writes it @returns in the order they ended */
export function tracedCalls(trace: string): readonly TracedCall[] {
  const calls: TracedCall[] = [];
  const open = new Map<string, { readonly text: string; readonly begun: number }>();
  for (const [line, text] of trace.split('\n').entries()) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(text) ?? [];
    const unfinished = /^(\w+)\(.*(?= <unfinished \.\.\.>$)/.exec(rest);
    if (unfinished !== null) {
      open.set(pid, { text: unfinished[0], begun: line });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest);
    const began = resumed === null ? undefined : open.get(pid);
    if (resumed !== null) open.delete(pid);
    const whole = resumed === null ? rest : `${began?.text ?? ''}${rest.slice(resumed[0].length)}`;
    const [, name, args = '', result = ''] = /^(\w+)\((.*)\) += (.*)$/.exec(whole) ?? [];
    if (name !== undefined)
      calls.push({ pid: Number(pid), name, args, result, begun: began?.begun ?? line, ended: line });
  }
  return calls;
}

/** False also for a call whose end was not seen. */
export function succeeded({ result }: TracedCall): boolean {
  return /^\d/.test(result);
}

/** Returns the text that the tracer has between quotes. */
export function unquoted(text: string): string {
  const codes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };
  const bytes = text.replaceAll(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (codes[code] ?? code),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
