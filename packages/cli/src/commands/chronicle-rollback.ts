import type { RollBackResponse } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import { type ChronicleCall, type ChronicleVerb, wholeActionId } from './chronicle-verb.ts';

/** `chronicle rollback ID [--turn] [--skip-conflicts] [--dry-run]` */
export const rollBack: ChronicleVerb = async (call) => {
  const { client, args } = call;
  const dryRun = args.flag('dry-run');
  const skipConflicts = args.flag('skip-conflicts');
  const id = await wholeActionId(client, call.id);
  const report = await client.rollBack({ id, turn: args.flag('turn'), skipConflicts, dryRun });
  if (args.flag('json')) call.stdout.own(`${JSON.stringify(asJson(report))}\n`);
  else show(report, call, dryRun);
  return report.conflicts.length > 0 && !report.done ? EXIT.blocked : EXIT.completed;
};

function show(report: RollBackResponse, { stdout, stderr }: ChronicleCall, dryRun: boolean): void {
  const { id, restored, conflicts, done } = report;
  showLimits(report, stderr, done || dryRun);
  for (const { path, reason } of conflicts)
    stderr.line(`${stderr.safeLine(path)} ${stderr.safeLine(reason)}`);
  if (!done && conflicts.length > 0) {
    stderr.line('nothing was touched; --skip-conflicts restores the rest');
    return;
  }
  if (done || dryRun) {
    for (const { path, from, to } of restored)
      stdout.line(`  ${changeText(from, to)} ${stdout.safeLine(path)}`);
  }
  const count = `${restored.length} ${restored.length === 1 ? 'object' : 'objects'}`;
  if (done)
    stdout.line(`${count} restored; \`bulkhead chronicle rollback ${stdout.safe(id)}\` takes that back`);
  else stdout.line(restored.length === 0 ? 'nothing to do: all is as it was' : `${count} would be restored`);
}

/** What is not as it was, whatever else is. */
function showLimits({ lasting, limits }: RollBackResponse, stderr: Output, isRestored: boolean): void {
  for (const { id, tool, reason } of lasting)
    stderr.line(`not undone: ${stderr.safeLine(tool)} ${stderr.safe(id)}: ${stderr.safeLine(reason)}`);
  for (const limit of isRestored ? limits : []) stderr.line(stderr.safeLine(limit));
}

function changeText(from: string, to: string): string {
  if (to === 'missing') return `- ${from}`;
  return from === 'missing' ? `+ ${to}` : `~ ${to}`;
}

function asJson({ $typeName: _, restored, conflicts, lasting, ...report }: RollBackResponse) {
  return {
    ...report,
    restored: restored.map(({ path, from, to }) => ({ path, from, to })),
    conflicts: conflicts.map(({ path, reason }) => ({ path, reason })),
    lasting: lasting.map(({ id, tool, reason }) => ({ id, tool, reason })),
  };
}
