import { type Clock, describeError, type HomeLayout, type Redaction, systemTimers } from '@bulkhead/protocol';
import { type Logger, pino } from 'pino';
import { LogFile } from './log-file.ts';

/** pino's number for `warn`. */
const WARN = 40;

/**
 * The engine's log, in a file of its home. Every line is redacted before it is written [A7].
 * Logging never fails and never blocks: `file` counts the lines that could not be written.
 */
export function openLogger(
  { logs }: HomeLayout,
  { redact }: Redaction,
  clock: Clock,
  stack: AsyncDisposableStack,
): { readonly logger: Logger; readonly file: LogFile } {
  const file = stack.use(
    new LogFile({
      path: `${logs}/engine.log`,
      clock,
      timers: systemTimers,
      lossLine: ({ lines, since, reason }) =>
        `${JSON.stringify({
          level: WARN,
          time: new Date(clock.now()).toISOString(),
          lost: lines,
          since: new Date(since).toISOString(),
          reason,
          msg: 'lines of this log could not be written',
        })}\n`,
    }),
  );
  const flush = (): void => file.flushNow();
  process.on('exit', flush);
  stack.defer(() => void process.off('exit', flush));
  const write = (line: string): void => {
    try {
      file.write(redact(line));
    } catch (error) {
      // A line that may contain a secret is not written; the log states why without it.
      file.drop(`what is secret could not be read: ${describeError(error)}`);
    }
  };
  return { logger: pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write }), file };
}
