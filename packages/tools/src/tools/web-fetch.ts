import * as z from 'zod';
import { numberArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';
import { hostsOf, urlArgument } from '../definitions/web-arguments.ts';
import { parseWebUrl } from '../egress/web-url.ts';

const FETCH_MS = 30_000;
const PAGE_HEADERS = [['Accept', 'text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.5']] as const;

export const webFetchTool = /* @__PURE__ */ defineTool({
  name: 'web_fetch',
  description: 'Read a web page as text.',
  group: 'web',
  readOnly: true,
  effect: 'pure',
  schema: z.strictObject({
    url: urlArgument(),
    max_bytes: numberArgument(1_000, 200_000).default(50_000).describe('of text'),
  }),
  hosts: ({ url }) => hostsOf(url),
  flow: {
    effect: 'fetch',
    sink: 'network',
    arguments: { url: 'url', max_bytes: 'plain' },
    result: { writer: 'external', secrecy: 'public' },
  },
  card: { kind: 'fetch' },
  host: 'web',
  execution: ({ url, max_bytes: maxTextBytes }) => ({
    host: 'web',
    request: { url: parseWebUrl(url), method: 'GET', headers: PAGE_HEADERS, body: undefined },
    redirects: 'public',
    timeoutMs: FETCH_MS,
    as: 'page',
    maxTextBytes,
    mayTakeEffect: false,
  }),
});
