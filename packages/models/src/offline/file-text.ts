/** The result of `read`: the file's text, and the facts in its bracketed notices. */
export interface FileText {
  readonly lines: readonly string[];
  /** Lines in the whole file, as far as known. */
  readonly total: number;
  /** False if only a lower bound of `total` is known. */
  readonly totalIsExact: boolean;
  /** True if these lines are the whole file. */
  readonly complete: boolean;
  /** A notice instead of text, for example for a binary file. */
  readonly instead: string | undefined;
}

const NOTICE = /^\[(?:lines? \d|bytes that|empty file|binary file|\d+ more|the first).*\]$/;
const RANGE = /^\[lines \d+-(\d+) of (more than )?(\d+)(; continue)?/;

export function parseFileText(text: string): FileText {
  const lines = text.replace(/\n$/, '').split('\n');
  const notices: string[] = [];
  for (let last = lines.at(-1); last !== undefined && NOTICE.test(last); last = lines.at(-1)) {
    notices.push(last);
    lines.pop();
  }
  const instead = notices.find((notice) => notice.startsWith('[binary'));
  if (text === '' || notices.some((notice) => notice.startsWith('[empty'))) lines.length = 0;
  const range = notices.map((notice) => RANGE.exec(notice)).find((match) => match !== null);
  const more = notices.some((notice) => /continue|more/.test(notice));
  return {
    lines,
    total: range?.[3] === undefined ? lines.length : Number(range[3]),
    totalIsExact: range?.[2] === undefined && (range !== undefined || !more),
    complete: !more,
    instead,
  };
}
