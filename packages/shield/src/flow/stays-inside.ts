import type { ArgumentValue, FlowCall } from './call.ts';

/** True for a call that is not a sink, with all its files in the working folder. */
export function staysInside({ metadata }: FlowCall, values: readonly ArgumentValue[]): boolean {
  if (values.some(({ role }) => role === 'recipient' || role === 'url' || role === 'credential'))
    return false;
  if (metadata === undefined) {
    return !values.some(
      ({ role, text }) =>
        (role === 'path-write' || role === 'path-delete') && /^[/~]|(?:^|\/)\.\.(?:\/|$)/u.test(text),
    );
  }
  const inside = `${metadata.workingFolder.replace(/\/$/u, '')}/`;
  return metadata.paths.every(
    ({ path, access }) => access === 'read' || path === metadata.workingFolder || path.startsWith(inside),
  );
}
