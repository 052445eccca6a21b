import type { RollBackResponse } from '@bulkhead/protocol/client';
import { conflictLines, lastingLines, limitLines, restoredLines } from '../conversation/rollback-lines.ts';
import { objectsChanged, sayWhile } from '../conversation/rollback-progress.ts';
import { EXIT } from '../exit-code.ts';
import { type ChronicleCall, type ChronicleVerb, wholeId } from './chronicle-verb.ts';

/** `chronicle rollback ID [--turn] [--skip-conflicts] [--dry-run]` */
export const rollBack: ChronicleVerb = async (call) => {
  const { client, args } = call;
  const dryRun = args.flag('dry-run');
  const skipConflicts = args.flag('skip-conflicts');
  const turn = args.flag('turn');
  const { snapshots } = await client.call('listSnapshots', {});
  const id = wholeId(snapshots, call.id);
  const objects = countText(objectsChanged(snapshots, id, turn));
  const what = dryRun ? `checking up to ${objects}` : `restoring up to ${objects}`;
  const report = await sayWhile(client.call('rollBack', { id, turn, skipConflicts, dryRun }), what, (line) =>
    call.stderr.line(line),
  );
  if (args.flag('json')) call.stdout.own(`${JSON.stringify(asJson(report))}\n`);
  else show(report, call, dryRun);
  return report.conflicts.length > 0 && !report.done ? EXIT.blocked : EXIT.completed;
};

function show(report: RollBackResponse, { stdout, stderr }: ChronicleCall, dryRun: boolean): void {
  const { id, restored, conflicts, done } = report;
  for (const line of lastingLines(report, stderr)) stderr.line(line);
  for (const line of conflictLines(report, stderr)) stderr.line(line);
  if (!done && conflicts.length > 0) {
    stderr.line(refusedText(restored.length));
    return;
  }
  if (done || dryRun) {
    for (const line of restoredLines(report, stdout)) stdout.line(line);
    for (const line of limitLines(report, stderr)) stderr.line(line);
  }
  const count = countText(restored.length);
  if (done) stdout.line(`${count} restored; \`bulkhead chronicle rollback ${stdout.safe(id)}\` undoes that`);
  else
    stdout.line(
      restored.length === 0 ? 'nothing to restore: all is as it was' : `${count} would be restored`,
    );
}

function countText(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}

function refusedText(others: number): string {
  return others === 0
    ? 'nothing was restored: all of it was changed since; see `bulkhead chronicle diff`'
    : `nothing was restored; --skip-conflicts restores the other ${others} and leaves these as they are`;
}

function asJson({ $typeName: _, restored, conflicts, lasting, ...report }: RollBackResponse) {
  return {
    ...report,
    restored: restored.map(({ path, from, to }) => ({ path, from, to })),
    conflicts: conflicts.map(({ path, reason }) => ({ path, reason })),
    lasting: lasting.map(({ id, tool, reason }) => ({ id, tool, reason })),
  };
}
