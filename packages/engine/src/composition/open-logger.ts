import type { HomeLayout, Redaction } from '@bulkhead/protocol';
import { destination, type Logger, pino } from 'pino';

/** The engine's log, in a file of its home. Every line is redacted before it is written [A7]. */
export function openLogger({ logs }: HomeLayout, { redact }: Redaction): Logger {
  const log = destination({ dest: `${logs}/engine.log`, sync: true, mkdir: true });
  return pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => void log.write(redact(line)) },
  );
}
