import { createHash } from 'node:crypto';
import { readText } from '@bulkhead/home/config/file/read-text';
import { FLOW_POLICY_FILE } from '@bulkhead/home/folder/flow-policy-file';
import { emptyPolicy } from '@bulkhead/home/folder/home-policies';
import type { HomeLayout } from '@bulkhead/protocol';
import { defaultFlowPolicy, type FlowPolicy, overlayFlowPolicy, parseFlowPolicy } from '@bulkhead/shield';
import { everyTool } from '@bulkhead/tools';

/** The source name of shipped rules. */
export const SHIPPED = 'the product';

/**
 * SHA-256 of the shipped rules that earlier versions copied into new homes: no person edited these
 * files.
 */
const COPIES: ReadonlySet<string> = new Set([
  '370a053e5164bda82b69db540d322a084d31bb877a3f1c3e27a502869b77fbbe',
  'eb27e64f9dd540f6b19b161c8b45203004b2356aa6b4bce55bbd68cd012bdba3',
  '27a832de17a2cf174bf44198d431ddc8118f9cd588155e5509271d6dc22ac922',
]);

/** The annotations of the product's own tools. */
const OWN_TOOLS = everyTool.map(({ name: tool, flow }) => ({ tool, ...flow }));

/** The product's rules of information flow, and its tools' annotations. */
export function shippedFlow(): FlowPolicy {
  const policy = parseFlowPolicy(defaultFlowPolicy, SHIPPED);
  return {
    ...policy,
    tools: new Map([...OWN_TOOLS.map((own) => [own.tool, own] as const), ...policy.tools]),
    origins: new Map([...OWN_TOOLS.map(({ tool }) => [tool, SHIPPED] as const), ...policy.origins]),
  };
}

/** With the digest of all its sources. */
export interface ReadFlowPolicy {
  readonly flow: FlowPolicy;
  readonly digest: string;
}

/**
 * Reads the tool annotations and the level that each sink allows: the shipped rules, then a
 * person's file on top. So improved rules reach existing homes, and deleting the file gains
 * nothing.
 *
 * @throws BulkheadError `config_invalid` for an invalid file
 */
export function readFlowPolicy(layout: Pick<HomeLayout, 'policies'>): ReadFlowPolicy {
  return rememberingFlowPolicy()(layout);
}

/** The same for repeated reads: parses again only if the file has changed. */
export function rememberingFlowPolicy(): (layout: Pick<HomeLayout, 'policies'>) => ReadFlowPolicy {
  let base: FlowPolicy | undefined;
  let last: ReadFlowPolicy | undefined;
  return ({ policies }) => {
    const path = `${policies}/${FLOW_POLICY_FILE}`;
    const text = readText(path);
    if (text === '') throw emptyPolicy(path);
    const isCopy = text === undefined || text === defaultFlowPolicy || COPIES.has(hashOf(text));
    const digest = hashOf(JSON.stringify([defaultFlowPolicy, OWN_TOOLS, isCopy ? null : text]));
    if (last?.digest === digest) return last;
    base ??= shippedFlow();
    last = { flow: isCopy ? base : overlayFlowPolicy(base, parseFlowPolicy(text, path)), digest };
    return last;
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
