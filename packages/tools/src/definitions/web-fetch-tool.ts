import * as z from 'zod';
import { numberArgument } from './argument-types.ts';
import { defineTool } from './define-tool.ts';
import { hostsOf, urlArgument } from './web-arguments.ts';

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
  paths: () => [],
  hosts: ({ url }) => hostsOf(url),
});
