import { invalidRequest } from './api-error.ts';

/** Deepest nesting of a request; a tool's schema may have fifty levels. */
const MAX_DEPTH = 100;

/**
 * Refuses deeper nesting: reading it would overflow the stack. @throws BulkheadError `usage` (400)
 */
export function checkDepth(body: unknown): void {
  let level: readonly unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw invalidRequest(`the body is nested deeper than ${MAX_DEPTH}`);
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
}
