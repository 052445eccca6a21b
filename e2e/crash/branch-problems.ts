import { fieldsOf, type StoredRow, type StoredSession } from './stored-session.ts';

/**
 * Checks the conversation from its root to the leaf: it is a chain, and each tool call in it has one result, before
 * anything else is said [L4].
 */
export function branchProblems({ leaf, rows }: StoredSession): string[] {
  const entries = new Map(rows.flatMap((row) => (row.entry === null ? [] : [[row.entry, row] as const])));
  const problems: string[] = [];
  const branch: StoredRow[] = [];
  for (let id = leaf; id !== null; ) {
    const row = entries.get(id);
    if (row === undefined) return [`the branch leads to entry ${id}, which is not there`];
    branch.unshift(row);
    id = row.parent;
  }
  let open: string[] = [];
  for (const { body, pos } of branch) {
    const message = fieldsOf(body['message']);
    const result = message['tool'] === undefined ? undefined : String(fieldsOf(message['tool'])['callId']);
    if (result === undefined) {
      if (open.length > 0) problems.push(`before record ${pos}: calls without result ${open.join(', ')}`);
      open = callsIn(message);
    } else if (open.includes(result)) {
      open = open.filter((call) => call !== result);
    } else {
      problems.push(`record ${pos}: a result for ${result}, which nobody waits for`);
    }
  }
  if (open.length > 0) problems.push(`at the leaf: calls without result ${open.join(', ')}`);
  return problems;
}

function callsIn(message: Readonly<Record<string, unknown>>): string[] {
  const parts = fieldsOf(message['assistant'])['parts'];
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown) => {
    const call = fieldsOf(fieldsOf(part)['toolCall']);
    return typeof call['callId'] === 'string' ? [call['callId']] : [];
  });
}
