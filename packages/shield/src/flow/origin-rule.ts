import type { Sink, ToolAnnotation } from '@bulkhead/protocol';
import type { ArgumentValue } from './call.ts';
import type { Evidence } from './endorse.ts';
import type { FlowVerdict } from './flow-verdict.ts';
import { hostOfUrl, identifierOf, normalUrl } from './identifiers.ts';
import { isAtLeast, type Label } from './label.ts';
import { isSaid, saysHost } from './request.ts';
import { normalOf, type StoredValue } from './values.ts';

const LEAVING: ReadonlySet<Sink> = new Set<Sink>(['network', 'mail', 'message', 'git', 'browser', 'mcp']);

/**
 * Origin side: checks that a call's destination has a source. Applies in every session, even
 * without foreign data: a recipient or host that is neither in the user's words nor in a result was
 * invented, and an invented recipient may be wrong. Does not apply where the user asked for the
 * effect, nor to a fetch while there is no data to carry.
 *
 * @param asked the user's words request this tool's effect
 */
export function judgeOrigin(
  evidence: Evidence,
  tool: ToolAnnotation,
  values: readonly ArgumentValue[],
  { label, asked }: { readonly label: Label; readonly asked: () => boolean },
): FlowVerdict | undefined {
  if (!LEAVING.has(tool.sink)) return undefined;
  if (tool.effect === 'fetch' && !isAtLeast(label.secrecy, 'internal')) return undefined;
  const unknown = values.find((value) => isDestination(value) && !isKnownOf(evidence, value.text));
  if (unknown === undefined) return undefined;
  // Words for an effect do not name its destination: they release calls that carry no data read
  // here. With foreign data, the target rules judge the destination separately.
  const takesAway = label.trust !== 'external' && isAtLeast(label.secrecy, 'internal') && carries(values);
  if (asked() && !takesAway) return undefined;
  const { argument, role, text } = unknown;
  const value = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return {
    decision: 'escalate',
    rule: 'target-from-nowhere',
    reason: `${argument} is ${JSON.stringify(value)}, which neither your words nor anything that was read says, and you did not ask for it`,
    evidence: [{ argument, value, role, from: 'nowhere', endorsed: false }],
  };
}

/** True if the call holds text besides its destination. */
function carries(values: readonly ArgumentValue[]): boolean {
  return values.some(
    ({ role, text }) =>
      ((role === 'content' || role === 'code') && text.length > 0) || (role === 'url' && /[?#]./u.test(text)),
  );
}

/** A name alone, as `origin`, is a local setting; an address is another machine. */
function isDestination({ role, text }: ArgumentValue): boolean {
  if (role === 'recipient') return true;
  if (role !== 'url' && role !== 'host') return false;
  return /[.:/]/u.test(text);
}

function isKnownOf({ request, index, trusted }: Evidence, text: string): boolean {
  if (trusted.has(normalOf(text)) || isSaid(request, text) || saysHost(request, text)) return true;
  // Files of the folder may come from anyone: they don't name a valid destination for data.
  const isTold = (values: Iterable<StoredValue>): boolean => {
    for (const { writer } of values) if (writer !== 'workspace') return true;
    return false;
  };
  if (isTold(index.containing(text))) return true;
  if (identifierOf(text.trim())?.type !== 'url') return false;
  return isTold(index.linkingTo(hostOfUrl(normalUrl(text))));
}
