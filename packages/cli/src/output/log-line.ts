const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const WARN = 40;

/** Fields of every line that are irrelevant to a reader. */
const HIDDEN = new Set(['level', 'time', 'msg', 'pid', 'hostname']);

/** A log line (a JSON object as pino writes it) for people; any other line is unchanged. */
export function readableLogLine(line: string): { readonly text: string; readonly problem: boolean } {
  const fields = parseObject(line);
  if (fields === undefined) return { text: line, problem: false };
  const level = typeof fields['level'] === 'number' ? fields['level'] : 0;
  const rest = Object.entries(fields)
    .filter(([key]) => !HIDDEN.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const message = typeof fields['msg'] === 'string' ? fields['msg'] : '';
  const words = [timeOf(fields['time']), LEVELS[level]?.padEnd('error'.length) ?? '', message, ...rest];
  return { text: words.filter((word) => word !== '').join(' '), problem: level >= WARN };
}

function timeOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Math.abs(value) < 8.64e15 ? new Date(value).toISOString() : '';
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
