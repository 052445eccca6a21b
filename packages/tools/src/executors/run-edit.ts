import { BulkheadError } from '@bulkhead/protocol';
import { failed } from '../files/file-error.ts';
import { editText } from './edit-text.ts';
import { unifiedDiff } from './unified-diff.ts';
import { success, type WorkerContext, type WorkerTool } from './worker-tool.ts';
import { contentHash, putContent, readWhole, refuseUnwritable } from './writable-file.ts';

interface EditArguments {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
}

export const runEdit: WorkerTool<EditArguments> = async (args, context) => {
  const { shown, before, after, summary } = editFile(args, context);
  return success(summary, await unifiedDiff(shown, before, after));
};

function editFile(args: EditArguments, context: WorkerContext) {
  using location = context.files.locate(args.path, 'write');
  const { shown } = location;
  if (location.stat === undefined) throw failed(shown, 'no such file; to create it use write');
  const name = refuseUnwritable(location);
  const { content, stat } = readWhole(location);
  context.versions.refuseStale(location.key, stat, () => contentHash(content), shown);
  const outcome = editText(content, args.old_text, args.new_text);
  if (outcome.kind === 'missing') throw noMatch(`${shown}: old_text was not found; ${outcome.hint}`);
  if (outcome.kind === 'ambiguous') {
    const { count, lines } = outcome;
    const where = `${lines.join(', ')}${count > lines.length ? ', …' : ''}`;
    throw noMatch(
      `${shown}: old_text is there ${count} times (lines ${where}); add text around it to make it unique`,
    );
  }
  putContent(location, name, outcome.content, stat, context);
  const endings = outcome.converted ? ', with the line endings of the file (CRLF)' : '';
  return {
    shown,
    before: content,
    after: outcome.content,
    summary: `edited ${shown} at line ${outcome.line}${endings}`,
  };
}

function noMatch(message: string): BulkheadError {
  return new BulkheadError('tool_failed', message);
}
