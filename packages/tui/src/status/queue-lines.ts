import { inertText } from '@bulkhead/protocol';
import { firstLine, type TranscriptView } from '@bulkhead/protocol/transcript';
import { cut } from '../look/fit.ts';
import type { Look } from '../look/look.ts';

/** Waiting messages, with their delivery. @param own text of those sent from this client, by id */
export function queueLines(
  { queue }: TranscriptView,
  own: ReadonlyMap<string, string>,
  { style }: Look,
  width: number,
): string[] {
  const line = (id: string, how: string) => {
    const text = own.get(id);
    const shown = text === undefined ? '(a message from another client)' : inertText(firstLine(text));
    return style.dim(cut(`${how} ${shown}`, width));
  };
  const lines = [
    ...queue.steer.map((id) => line(id, '↳ joins the run:')),
    ...queue.followUp.map((id) => line(id, '↳ next:')),
  ];
  const editable = [...queue.steer, ...queue.followUp].some((id) => own.has(id));
  return editable ? [...lines, style.dim(cut('  Alt-Up edits the last one', width))] : lines;
}
