import type { ObjectDifference } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import { type ChronicleVerb, wholeActionId } from './chronicle-verb.ts';

/** `chronicle diff ID [--turn]` */
export const diffSnapshot: ChronicleVerb = async ({ client, id, args, stdout }) => {
  const request = { id: await wholeActionId(client, id), turn: args.flag('turn') };
  let count = 0;
  for await (const { difference } of client.stream('diffSnapshot', request)) {
    if (difference === undefined) continue;
    count += 1;
    if (args.flag('json')) stdout.own(`${JSON.stringify(asJson(difference))}\n`);
    else showDifference(difference, stdout);
  }
  if (count === 0 && !args.flag('json')) stdout.line('no differences');
  return EXIT.completed;
};

function showDifference({ path, before, after, edited, diff }: ObjectDifference, stdout: Output): void {
  stdout.line(`${stdout.safeLine(path)}: ${changeText(before, after)}${edited ? ', changed since' : ''}`);
  if (diff !== '') stdout.line(stdout.safe(diff));
}

function changeText(before: string, after: string): string {
  if (before === 'missing') return `a ${after === '' ? 'new object' : after} was made`;
  if (after === 'missing') return `a ${before} was deleted`;
  return before === after || after === '' ? `a ${before} was changed` : `a ${before} became a ${after}`;
}

function asJson({ $typeName: _, ...difference }: ObjectDifference) {
  return difference;
}
