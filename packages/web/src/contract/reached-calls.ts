import { routeTable } from '@bulkhead/protocol/routes';

/** Names of the calls that have a route over HTTP: a browser makes no others. */
export function reachedCalls(): readonly string[] {
  return Object.entries(routeTable).flatMap(([name, route]) => (route === 'local' ? [] : [name]));
}
