import { createHash } from 'node:crypto';
import { readText } from '@bulkhead/home/config/file/read-text';
import { FLOW_POLICY_FILE } from '@bulkhead/home/folder/flow-policy-file';
import { emptyPolicy } from '@bulkhead/home/folder/home-policies';
import type { HomeLayout } from '@bulkhead/protocol';
import { defaultFlowPolicy, type FlowPolicy, overlayFlowPolicy, parseFlowPolicy } from '@bulkhead/shield';
import { everyTool } from '@bulkhead/tools';

/** Where what came with the product is from. */
export const SHIPPED = 'the product';

/** SHA-256 of whole copies of the shipped rules that earlier versions put into new homes: nobody wrote anything into them. */
const COPIES: ReadonlySet<string> = new Set([
  '370a053e5164bda82b69db540d322a084d31bb877a3f1c3e27a502869b77fbbe',
  'eb27e64f9dd540f6b19b161c8b45203004b2356aa6b4bce55bbd68cd012bdba3',
  '27a832de17a2cf174bf44198d431ddc8118f9cd588155e5509271d6dc22ac922',
]);

/** What the product's tools say of themselves. */
const OWN_TOOLS = everyTool.map(({ name: tool, flow }) => ({ tool, ...flow }));

/** What the product says of information flow, and its tools of themselves. */
export function shippedFlow(): FlowPolicy {
  const policy = parseFlowPolicy(defaultFlowPolicy, SHIPPED);
  return {
    ...policy,
    tools: new Map([...OWN_TOOLS.map((own) => [own.tool, own] as const), ...policy.tools]),
    origins: new Map([...OWN_TOOLS.map(({ tool }) => [tool, SHIPPED] as const), ...policy.origins]),
  };
}

/** With the digest of all it was made of. */
export interface ReadFlowPolicy {
  readonly flow: FlowPolicy;
  readonly digest: string;
}

/**
 * What tools do, and which level may leave by which way: the shipped rules, and what a person's file says beside them. So
 * a rule that gets better reaches homes that were made before, and nothing is gained by taking the file away.
 *
 * @throws BulkheadError `config_invalid` for a file that is there and wrong
 */
export function readFlowPolicy(layout: Pick<HomeLayout, 'policies'>): ReadFlowPolicy {
  return rememberingFlowPolicy()(layout);
}

/** The same for who reads it again and again: parsed anew only if the file has changed. */
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
