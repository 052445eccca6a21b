import { ALLOWED_READ_ONLY, API_ROOT, LOCAL_METHODS, ROUTES } from '@bulkhead/protocol/routes';

/**
 * Lists the methods of the client service: one line for each, sorted. `NAME VERB PATH` or
 * `NAME local`, then `read-only` for a method that an engine on a copy of its home answers.
 */
export function methodSurface(): string {
  const routed = Object.entries(ROUTES).map(([name, { verb, path }]) => `${name} ${verb} ${API_ROOT}${path}`);
  const lines = [...routed, ...LOCAL_METHODS.map((name) => `${name} local`)].map((line) =>
    ALLOWED_READ_ONLY.has(line.split(' ')[0] ?? '') ? `${line} read-only` : line,
  );
  return `${lines.sort().join('\n')}\n`;
}
