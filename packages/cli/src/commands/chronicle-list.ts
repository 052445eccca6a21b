import type { SnapshotSummary } from '@bulkhead/protocol/client';
import { verbUsageError } from '../arguments/verb-table.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import type { ChronicleVerb } from './chronicle-verb.ts';

const STANDARD_LIMIT = 50;

/** `chronicle list [--limit N]` */
export const listSnapshots: ChronicleVerb = async ({ client, args, stdout, stderr }) => {
  const { snapshots, problems } = await client.call('listSnapshots', { limit: limitOf(args.value('limit')) });
  for (const problem of problems) stderr.line(stderr.safeLine(problem));
  if (args.flag('json')) stdout.own(`${JSON.stringify(snapshots.map(asJson))}\n`);
  else if (snapshots.length === 0) stdout.line('no changes yet');
  else for (const snapshot of snapshots) showSnapshot(snapshot, stdout);
  return problems.length === 0 ? EXIT.completed : EXIT.failed;
};

/** `chronicle verify` */
export const verifyChronicle: ChronicleVerb = async ({ client, args, stdout, stderr }) => {
  const { snapshots, blobs, problems } = await client.call('verifyChronicle', {});
  if (args.flag('json')) stdout.own(`${JSON.stringify({ snapshots, contents: blobs, problems })}\n`);
  else stdout.line(`${snapshots} snapshots, ${blobs} contents: ${problems.length} damaged`);
  for (const problem of args.flag('json') ? [] : problems) stderr.line(stderr.safeLine(problem));
  return problems.length === 0 ? EXIT.completed : EXIT.failed;
};

function showSnapshot(snapshot: SnapshotSummary, stdout: Output): void {
  const { id, time, tool, about, changed, undoneBy, undoes, open, late, goesNext, folder } = snapshot;
  const facts = [
    `${changed} ${changed === 1 ? 'object' : 'objects'}`,
    ...(undoes.length > 0 ? [`undoes ${undoes.length}`] : []),
    ...(undoneBy === '' ? [] : [`undone by ${undoneBy}`]),
    ...(open ? ['still running'] : []),
    ...(late ? ['found after a restart'] : []),
    ...(goesNext ? ['among the next to be forgotten'] : []),
  ];
  const what = about === '' || undoes.length > 0 ? tool : `${tool}: ${about}`;
  stdout.line(`${stdout.safe(id)}  ${time}  ${stdout.safeLine(what)}  (${facts.join(', ')})`);
  stdout.line(`  ${stdout.palette.dim(`in ${stdout.safeLine(folder)}`)}`);
}

function asJson({ $typeName: _, ...snapshot }: SnapshotSummary) {
  return snapshot;
}

function limitOf(value: string | undefined): number {
  if (value === undefined) return STANDARD_LIMIT;
  const limit = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (limit > 0) return limit;
  throw verbUsageError('chronicle', `--limit is a whole number from 1 to 9999, not "${value}"`);
}
