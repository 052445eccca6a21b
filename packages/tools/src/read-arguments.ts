import { BulkheadError } from '@bulkhead/protocol';

/**
 * Parses the arguments in the judged bytes: either the arguments' own JSON, or the action's
 * canonical form `{"arguments":…,"tool":…}`, whose tool must then be the one being called. No core
 * tool has arguments of those names, so the two can't be taken for each other.
 * @throws BulkheadError `invalid_arguments`
 */
export function readArguments(tool: string, json: string): unknown {
  const value = parseJson(json);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort().join();
  if (keys !== 'arguments,tool') return value;
  if (value['tool'] !== tool) throw invalid(`the judged call is not one of ${tool}`);
  return value['arguments'];
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new BulkheadError('invalid_arguments', 'the arguments are not valid JSON', { cause: error });
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(message: string): BulkheadError {
  return new BulkheadError('invalid_arguments', message);
}
