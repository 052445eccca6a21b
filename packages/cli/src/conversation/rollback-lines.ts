import type { RollBackResponse } from '@bulkhead/protocol/client';
import type { Output } from '../output/output.ts';

/** Every object of a rollback and what becomes of it, a line each: `+` comes back, `-` goes, `~` is as it was. */
export function restoredLines({ restored }: RollBackResponse, output: Output): readonly string[] {
  return restored.map(({ path, from, to }) => `  ${changeText(from, to)} ${output.safeLine(path)}`);
}

/** Why something can't be restored. */
export function conflictLines({ conflicts }: RollBackResponse, output: Output): readonly string[] {
  return conflicts.map(({ path, reason }) => `  ! ${output.safeLine(path)} ${output.safeLine(reason)}`);
}

function changeText(from: string, to: string): string {
  if (to === 'missing') return `- ${from}`;
  return from === 'missing' ? `+ ${to}` : `~ ${to}`;
}
