import type { ClientService } from '../client.ts';

export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Where every call of the client service is found. */
export const API_ROOT = '/api/v1';

/** Where a call is found. Members of its message that the path does not name come from the query (GET, DELETE) or the body. */
export interface Route {
  readonly verb: Verb;
  /** Below `API_ROOT`; `{member}` stands for one part, and goes into that member of the message. */
  readonly path: string;
  /** Largest body in bytes, where it is not the usual. */
  readonly bodyBytes?: number;
}

/** Name of a call of the client service. */
export type CallName = keyof typeof ClientService.method;

/** Where members go that the path does not name: into the query, or else into a body. */
export function isInQuery({ verb }: Route): boolean {
  return verb === 'GET' || verb === 'DELETE';
}
