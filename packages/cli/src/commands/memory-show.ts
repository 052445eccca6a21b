import type { ShowMemoryResponse } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import { printFiles } from '../output/print-memory.ts';
import type { MemoryVerb } from './memory-verb.ts';

/** `memory show [FILE]` */
export const showMemory: MemoryVerb = async ({ client, words, args, stdout, stderr }) => {
  const [path = ''] = words;
  const shown = await client.call('showMemory', { path });
  if (path !== '') {
    if (args.flag('json')) stdout.own(`${JSON.stringify({ path, text: shown.text, cut: shown.cut })}\n`);
    else stdout.content(shown.text.endsWith('\n') || shown.text === '' ? shown.text : `${shown.text}\n`);
    if (shown.cut) stderr.line(`only the beginning of ${stderr.safeLine(path)} is shown`);
    return EXIT.completed;
  }
  if (args.flag('json')) stdout.own(`${JSON.stringify(listAsJson(shown))}\n`);
  else printFiles(shown, stdout);
  return EXIT.completed;
};

function listAsJson({ files, folder, problems, openProposals }: ShowMemoryResponse) {
  const shown = files.map(({ $typeName: _, bytes, ...file }) => ({ ...file, bytes: Number(bytes) }));
  return { folder, files: shown, problems, openProposals };
}
