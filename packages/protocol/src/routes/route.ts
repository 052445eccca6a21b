type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Below this path is every call of the client service. */
export const API_ROOT = '/api/v1';

/**
 * The place of a call over HTTP, from its option in `client.proto`. Members of its message that the path does
 * not name come from the query (GET, DELETE) or from the body.
 */
export interface Route {
  readonly verb: Verb;
  /** Below `API_ROOT`; `{member}` stands for one part, and goes into that member of the message. */
  readonly path: string;
  /** Largest body in bytes, where it is not the usual. */
  readonly bodyBytes?: number;
}

/** Says whether members that the path does not name go into the query instead of a body. */
export function isInQuery({ verb }: Route): boolean {
  return verb === 'GET' || verb === 'DELETE';
}
