import * as z from 'zod';
import { textArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';
import { headersArgument, hostsOf, urlArgument } from '../definitions/web-arguments.ts';
import { parseWebUrl } from '../egress/web-url.ts';

const MAX_BODY_BYTES = 1_000_000;
/** Largest answer that a model sees, in bytes. */
const MAX_ANSWER_TEXT = 50_000;
const REQUEST_MS = 60_000;
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export const httpRequestTool = /* @__PURE__ */ defineTool({
  name: 'http_request',
  description: 'Send an HTTP request and return the raw answer.',
  group: 'web',
  readOnly: false,
  effect: 'once',
  schema: z
    .strictObject({
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).default('GET'),
      url: urlArgument(),
      headers: headersArgument().optional(),
      body: textArgument(MAX_BODY_BYTES).optional(),
    })
    .refine(({ method, body }) => body === undefined || !READING.has(method), {
      path: ['body'],
      error: 'GET and HEAD have none',
    }),
  hosts: ({ url }) => hostsOf(url),
  effectOf: ({ method }) => (READING.has(method) ? 'pure' : 'once'),
  flow: {
    effect: 'send',
    sink: 'network',
    words: ['request', 'call', 'post', 'put', 'get', 'fetch', 'delete', 'patch'],
    arguments: { method: 'plain', url: 'url', headers: 'content', body: 'content' },
    result: { writer: 'external' },
  },
  card: { kind: 'fetch' },
  host: 'web',
  execution: ({ url, method, headers = {}, body }) => ({
    host: 'web',
    request: {
      url: parseWebUrl(url),
      method,
      headers: Object.entries(headers),
      body: body === undefined ? undefined : Buffer.from(body),
    },
    redirects: 'origin',
    timeoutMs: REQUEST_MS,
    as: 'raw',
    maxTextBytes: MAX_ANSWER_TEXT,
    mayTakeEffect: true,
  }),
});
