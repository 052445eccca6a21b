import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { actionIds, proveAction, proveConsistency } from '@bulkhead/engine/offline/audit';
import { matchId } from '@bulkhead/protocol';
import { EXIT } from '../exit-code.ts';
import { refuseExisting, writePrivateFile } from '../output/write-private-file.ts';
import type { AuditVerb } from './audit-verb.ts';

/** `audit proof ID`, `audit proof OLDER..NEWER` */
export const proveAudit: AuditVerb = async ({ folder, words, args, stdout, environment, signal }) => {
  const [what = ''] = words;
  const [, older, newer] = /^(\d{1,15})\.\.(\d{1,15})?$/.exec(what) ?? [];
  const proof =
    older === undefined
      ? await proveAction(folder, matchId(what, await actionIds(folder, signal), 'actions') ?? what, signal)
      : await proveConsistency(
          folder,
          { older: Number(older), ...(newer !== undefined && { newer: Number(newer) }) },
          signal,
        );
  const text = `${JSON.stringify(proof)}\n`;
  const output = args.value('output');
  if (output === undefined) stdout.own(text);
  else {
    const path = resolve(environment.cwd, output);
    refuseExisting(path);
    await writePrivateFile(path, Readable.from([text]), { force: false, id: environment.newId() });
    stdout.line(args.flag('json') ? JSON.stringify({ output: path }) : `written to ${stdout.safeLine(path)}`);
  }
  return EXIT.completed;
};
