import { defaultFlowPolicy } from '../annotations/default-flow-policy.ts';

/** The product's tools with their own annotations: shield does not know them, but receives them. */
const PRODUCT_TOOLS = `  - { tool: read, effect: read, sink: none, arguments: { path: path-read, offset: plain, limit: plain }, result: { writer: workspace } }
  - { tool: write, effect: create, sink: none, arguments: { path: path-write, content: content }, result: { writer: service } }
  - { tool: edit, effect: change, sink: none, arguments: { path: path-write, old_text: content, new_text: content }, result: { writer: service } }
  - { tool: ls, effect: read, sink: none, arguments: { path: path-read, offset: plain, limit: plain }, result: { writer: workspace } }
  - { tool: find, effect: read, sink: none, arguments: { pattern: query, path: path-read, limit: plain }, result: { writer: workspace } }
  - { tool: grep, effect: read, sink: none, arguments: { pattern: query, path: path-read, glob: query, ignore_case: plain, limit: plain }, result: { writer: workspace } }
  - { tool: bash, effect: execute, sink: shell, arguments: { command: command, timeout_seconds: plain, hosts: host, background: plain }, result: { writer: workspace } }
  - { tool: process_list, effect: read, sink: none, arguments: {}, result: { writer: service } }
  - { tool: process_stop, effect: change, sink: none, arguments: { id: object }, result: { writer: service } }
  - { tool: web_fetch, effect: fetch, sink: network, arguments: { url: url, max_bytes: plain }, result: { writer: external, secrecy: public } }
  - { tool: http_request, effect: send, sink: network, words: [request, call, post, put, get, fetch, delete, patch], arguments: { method: plain, url: url, headers: content, body: content }, result: { writer: external } }
  - { tool: memory_search, effect: read, sink: none, store: memory, arguments: { query: query, limit: plain }, result: { writer: workspace } }
  - { tool: memory_write, effect: remember, sink: none, store: memory, arguments: { text: content, heading: content, file: plain, replaces: query }, result: { writer: service } }
  - { tool: result_open, effect: read, sink: none, arguments: { id: plain, offset: plain, limit: plain }, result: { writer: external } }
`;

/** The complete flow policy of a home, in the language of `ifc.yaml`. */
export const shippedFlowPolicy = defaultFlowPolicy.replace('tools:\n', `tools:\n${PRODUCT_TOOLS}`);
