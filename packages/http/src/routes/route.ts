import type { ClientService } from '@bulkhead/protocol/client';

export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Where a call is found. Members of its message that the path does not name come from the query (GET, DELETE) or the body. */
export interface Route {
  readonly verb: Verb;
  /** Below `/api/v1`; `{member}` stands for one part, and goes into that member of the message. */
  readonly path: string;
  /** Largest body in bytes, where it is not the usual. */
  readonly bodyBytes?: number;
}

/** Name of a call of the client service. */
export type CallName = keyof typeof ClientService.method;
