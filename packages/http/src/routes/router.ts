import type { DescMethod } from '@bufbuild/protobuf';
import { ClientService } from '@bulkhead/protocol/client';
import { ROUTES, type Route } from '@bulkhead/protocol/routes';
import { refusal } from '../answer.ts';

export interface FoundRoute {
  readonly route: Route;
  readonly method: DescMethod;
  /** Members of the message that the path names. */
  readonly named: Readonly<Record<string, string>>;
}

/** A method with its route. */
export interface Row {
  readonly route: Route;
  readonly method: DescMethod;
  readonly parts: readonly string[];
}

/** The methods with an HTTP route, in the order of `client.proto`. */
export function routeRows(): readonly Row[] {
  return ClientService.methods.flatMap((method) => {
    const route = ROUTES[method.localName];
    return route === undefined ? [] : [{ route, method, parts: route.path.split('/').slice(1) }];
  });
}

/**
 * Finds the call for a verb and a path: a row with a fixed part has priority over one with a
 * variable.
 */
export class Router {
  readonly #rows: readonly Row[];

  constructor(rows: readonly Row[] = routeRows()) {
    this.#rows = rows.toSorted((left, right) => openness(left) - openness(right));
  }

  /**
   * @param path below `/api/v1`, not decoded
   * @throws BulkheadError `not_found` (404), or `usage` (405) if the path is known with other
   *   verbs
   */
  find(verb: string, path: string): FoundRoute {
    const parts = path.split('/').slice(1).map(decoded);
    const rows = this.#rows.filter((row) => fits(row, parts));
    const row = rows.find(({ route }) => route.verb === verb);
    if (row !== undefined) return { route: row.route, method: row.method, named: namesOf(row, parts) };
    if (rows.length === 0) {
      throw refusal(404, 'not_found', 'there is no such call', {
        fix: 'See /openapi.json for all there are.',
      });
    }
    const verbs = [...new Set(rows.map(({ route }) => route.verb))].join(', ');
    throw refusal(405, 'usage', `this path knows ${verbs}, not ${verb.slice(0, 16)}`);
  }
}

function openness({ parts }: Row): number {
  return parts.filter(isOpen).length;
}

function isOpen(part: string): boolean {
  return part.startsWith('{');
}

function fits(row: Row, parts: readonly (string | undefined)[]): boolean {
  return (
    row.parts.length === parts.length &&
    row.parts.every((part, index) => (isOpen(part) ? (parts[index] ?? '') !== '' : part === parts[index]))
  );
}

function namesOf(row: Row, parts: readonly (string | undefined)[]): Record<string, string> {
  const pairs = row.parts.flatMap((part, index): [string, string][] =>
    isOpen(part) ? [[part.slice(1, -1), parts[index] ?? '']] : [],
  );
  return Object.fromEntries(pairs);
}

/** Undefined for an invalid percent-encoding, which matches no row. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
