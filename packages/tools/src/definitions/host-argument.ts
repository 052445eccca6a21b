import { parseHost } from '../egress/host.ts';
import { nameArgument } from './argument-types.ts';

const MAX_HOST_BYTES = 253;

/**
 * A host in the one spelling that is both judged and connected to. Any other spelling is refused,
 * not repaired.
 */
export function hostArgument() {
  return nameArgument(MAX_HOST_BYTES).superRefine((text, context) => {
    const host = parseHost(text);
    if (typeof host === 'string') context.addIssue({ code: 'custom', message: host });
    else if (host.text !== text) context.addIssue({ code: 'custom', message: `is written ${host.text}` });
  });
}
