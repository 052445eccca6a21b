import type { OneRequest } from '../egress/exchange.ts';
import type { Redirects } from '../egress/redirect.ts';
import type { DocumentToRender } from './render-document.ts';

/** One request of a web tool, and what becomes of its answer. */
export interface WebRequest {
  readonly request: OneRequest;
  readonly redirects: Redirects;
  readonly timeoutMs: number;
  readonly as: DocumentToRender['as'];
  readonly maxTextBytes: number;
  /** True if a failure must say whether the request may have arrived. */
  readonly mayTakeEffect: boolean;
}
