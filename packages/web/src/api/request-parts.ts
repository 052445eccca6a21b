import type { JsonValue } from '@bufbuild/protobuf';
import { isInQuery, type Route } from '@bulkhead/protocol/routes';

/** A request in the form of `fetch`. */
export interface RequestParts {
  readonly verb: string;
  /** Below `/api/v1`, with the query. */
  readonly path: string;
  readonly body?: JsonValue;
}

/**
 * Puts a message's members into the places that its route defines.
 *
 * @param json the message
 */
export function requestParts(route: Route, json: JsonValue): RequestParts {
  const { verb, path } = route;
  const rest = new Map(Object.entries(typeof json === 'object' && json !== null ? json : {}));
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value ?? ''));
  });
  if (!isInQuery(route)) return { verb, path: filled, body: Object.fromEntries(rest) };
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
  return { verb, path: query.size === 0 ? filled : `${filled}?${query}` };
}
