import {
  BulkheadError,
  describeError,
  type ToolHost,
  type ToolHostCall,
  type ToolPlan,
  type ToolResult,
} from '@bulkhead/protocol';
import { executionOn } from '../definitions/define-tool.ts';
import { parseAllowList } from '../egress/allow-list.ts';
import type { EgressBroker, FetchedAnswer } from '../egress/egress-broker.ts';
import { isUnsent } from '../egress/unsent.ts';
import { answerText, pageResult } from './answer-text.ts';
import type { DocumentToRender, RenderedDocument } from './render-document.ts';

/** Converts a server's answer to text, in a place where it can do no harm. */
export type RenderInBox = (
  bytes: Buffer,
  document: DocumentToRender,
  signal: AbortSignal,
) => Promise<RenderedDocument>;

export interface WebHostOptions {
  readonly broker: Pick<EgressBroker, 'fetch'>;
  readonly render: RenderInBox;
}

/** Size limit of one answer's unpacked body, in bytes. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

/**
 * The host of the web tools. The broker makes all connections; the action may connect only to the
 * host its URL names; answers are hostile bytes until a box has converted them to text.
 */
export function createWebHost({ broker, render }: WebHostOptions): ToolHost {
  const run = async (call: ToolHostCall, signal: AbortSignal): Promise<ToolResult> => {
    const web = executionOn('web', call);
    const { url } = web.request;
    const answer = await broker.fetch(
      web.request,
      {
        allow: parseAllowList({ hosts: [url.host.text], ports: [url.port] }),
        redirects: web.redirects,
        maxBytes: MAX_BODY_BYTES,
        timeoutMs: web.timeoutMs,
      },
      signal,
    );
    const document = {
      contentType: typeOf(answer),
      url: answer.url.href,
      maxBytes: web.maxTextBytes,
      as: web.as,
    };
    const rendered = await render(answer.body, document, signal);
    return web.as === 'page' ? pageResult(answer, rendered) : answerText(answer, rendered);
  };
  return {
    execute: async (call, _update, signal) => {
      try {
        return await run(call, signal);
      } catch (error) {
        return { text: failureText(call, error, signal), isError: true };
      }
    },
    plan: async (call) => planOf(call),
    inspect: () =>
      Promise.reject(new BulkheadError('not_available', 'the state of the web can not be examined')),
  };
}

/** A request that may have arrived must not look as if it had no effect. */
function failureText(call: ToolHostCall, error: unknown, signal: AbortSignal): string {
  const text = signal.aborted ? 'cancelled' : describeError(error);
  const { code } = BulkheadError.from(error);
  const before = code === 'blocked' || code === 'invalid_arguments';
  if (before || !executionOn('web', call).mayTakeEffect) return text;
  if (isUnsent(error)) return `${text}. Nothing was sent`;
  return `${text}. It is not known whether the request arrived`;
}

function typeOf({ headers }: FetchedAnswer): string {
  return headers['content-type'] ?? '';
}

function planOf(call: ToolHostCall): ToolPlan {
  try {
    const { request } = executionOn('web', call);
    const size = request.body === undefined ? '' : ` with ${request.body.length} bytes`;
    const text = `It would send ${request.method} ${request.url.href}${size}.`;
    return { text, isError: false, changes: [] };
  } catch (error) {
    return { text: describeError(error), isError: true, changes: [] };
  }
}
