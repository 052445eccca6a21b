import { failed } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import { changingTool } from './changing-tool.ts';
import { type EditOutcome, editText } from './edit-text.ts';
import { contentHash, readWhole, refuseUnwritable } from './writable-file.ts';

interface EditArguments {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
}

export const runEdit = changingTool<EditArguments>((args, { files, versions }) => {
  using guard = new DisposableStack();
  const location = guard.use(files.locate(args.path, 'write'));
  const { shown } = location;
  if (location.stat === undefined) throw failed(shown, 'no such file; to create it use write');
  refuseUnwritable(location);
  const { content, stat } = readWhole(location);
  versions.refuseStale(location.key, stat, () => contentHash(content), shown);
  const edited = uniqueEdit(editText(content, args.old_text, args.new_text), shown);
  guard.move();
  const endings = edited.converted ? ', with the line endings of the file (CRLF)' : '';
  return {
    location,
    stat,
    before: content,
    after: edited.content,
    verb: ['edit', 'edited'],
    detail: ` at line ${edited.line}${endings}`,
  };
});

function uniqueEdit(outcome: EditOutcome, shown: string): Extract<EditOutcome, { kind: 'edited' }> {
  if (outcome.kind === 'edited') return outcome;
  if (outcome.kind === 'missing') throw noMatch(`${shown}: old_text was not found; ${outcome.hint}`);
  const { count, lines } = outcome;
  const where = `${lines.join(', ')}${count > lines.length ? ', …' : ''}`;
  throw noMatch(
    `${shown}: old_text is there ${count} times (lines ${where}); add text around it to make it unique`,
  );
}

function noMatch(message: string): BulkheadError {
  return new BulkheadError('tool_failed', message);
}
