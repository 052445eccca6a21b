import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyLog } from '@bulkhead/engine/offline/audit';
import { verbUsageError } from '../arguments/verb-table.ts';
import { EXIT } from '../exit-code.ts';
import type { AuditVerb } from './audit-verb.ts';

/** Beside the bundles; in the checkout beside the log's own code. */
const VERIFIER = 'audit-verify.mjs';

/** `audit export` */
export const exportAudit: AuditVerb = async ({ folder, args, stdout, environment }) => {
  const output = args.value('output');
  if (output === undefined) throw verbUsageError('audit', '`audit export` needs --output DIR');
  const target = resolve(environment.cwd, output);
  const files = await copyLog(folder, target);
  await copyFile(fileURLToPath(new URL(VERIFIER, environment.entries.engine)), join(target, 'verify.mjs'));
  if (args.flag('json'))
    stdout.own(`${JSON.stringify({ folder: target, files: [...files, 'verify.mjs'] })}\n`);
  else
    stdout.line(`${files.length} files and a verifier: node ${stdout.safeLine(join(target, 'verify.mjs'))}`);
  return EXIT.completed;
};
