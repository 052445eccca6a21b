type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Every call of the client service is below this path. */
export const API_ROOT = '/api/v1';

/**
 * The HTTP address of a call, from its option in `client.proto`. Members of its message outside the
 * path come from the query (GET, DELETE) or from the body.
 */
export interface Route {
  readonly verb: Verb;
  /** Below `API_ROOT`; `{member}` matches one part and sets that member of the message. */
  readonly path: string;
  /** Largest body in bytes, if it is not the default. */
  readonly bodyBytes?: number;
}

/** True if members outside the path go into the query instead of a body. */
export function isInQuery({ verb }: Route): boolean {
  return verb === 'GET' || verb === 'DELETE';
}
