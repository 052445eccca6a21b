import { BulkheadError, errorCode } from '@bulkhead/protocol';

/**
 * Reports of a starting supervisor on its fd 3, one JSON object a line: any number of `progress`,
 * then exactly one `ready` or `failed`, then it closes the descriptor.
 */
export type SupervisorReport =
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'ready'; readonly enginePid: number; readonly http: string }
  | { readonly type: 'failed'; readonly error: BulkheadError };

/** @throws BulkheadError `protocol_violation` for any other line */
export function parseSupervisorReport(line: string): SupervisorReport {
  const fields = parseObject(line);
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  switch (fields['type']) {
    case 'progress':
      return { type: 'progress', text: text('text') };
    case 'ready': {
      const pid = fields['engine_pid'];
      return { type: 'ready', enginePid: typeof pid === 'number' ? pid : 0, http: text('http') };
    }
    case 'failed': {
      const fix = text('fix');
      const message = text('message') || 'the engine did not start';
      return {
        type: 'failed',
        error: new BulkheadError(errorCode(fields['code']) ?? 'internal', message, fix === '' ? {} : { fix }),
      };
    }
    default:
      throw new BulkheadError('protocol_violation', 'the supervisor said something unknown while it started');
  }
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
