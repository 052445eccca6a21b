import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditVerification, verifyAuditLog, type WitnessNotes } from '@bulkhead/engine/offline/audit';
import { BulkheadError } from '@bulkhead/protocol';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import type { AuditCall, AuditVerb } from './audit-verb.ts';

/** An engine may be writing a line: a second read finds it whole. */
const AGAIN_MS = 300;

/** `audit verify` */
export const verifyAudit: AuditVerb = async (call) => {
  const { args, stdout } = call;
  const first = await verify(call);
  const found = first.firstBad?.reason.includes('incomplete') ? await again(call) : first;
  if (args.flag('json')) stdout.own(`${JSON.stringify(found)}\n`);
  else showFound(found, stdout, args.value('witness'));
  return found.ok ? EXIT.completed : EXIT.failed;
};

async function again(call: AuditCall): Promise<AuditVerification> {
  await sleep(AGAIN_MS, undefined, { signal: call.signal });
  return verify(call);
}

async function verify({ folder, args, signal }: AuditCall): Promise<AuditVerification> {
  if (!existsSync(folder)) {
    throw new BulkheadError('not_found', `there is no audit log at ${folder}: no engine ran here yet`, {
      fix: 'Start one with `bulkhead start --daemon`.',
    });
  }
  const [key, witness] = [args.value('key'), args.value('witness')];
  return verifyAuditLog(folder, {
    signal,
    chain: args.flag('chain'),
    ...(key !== undefined && { key }),
    ...(witness !== undefined && { witnesses: [readWitness(witness)] }),
  });
}

/** @param path of a file with one checkpoint per line, as JSON */
function readWitness(path: string): WitnessNotes {
  try {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    return { name: path, notes: lines.map((line) => String(JSON.parse(line))) };
  } catch (cause) {
    throw new BulkheadError('usage', `${path} does not contain checkpoints, one per line`, {
      fix: 'Name the file that a witness keeps.',
      cause,
    });
  }
}

function showFound(found: AuditVerification, stdout: Output, witness: string | undefined): void {
  const { green, red, dim } = stdout.palette;
  const { entries, firstBad, signed } = found;
  if (firstBad !== undefined) {
    const { n, file, line, reason } = firstBad;
    stdout.line(
      `${red('BAD')}  entry ${n}: ${stdout.safeLine(file)}, line ${line}: ${stdout.safeLine(reason)}`,
    );
    stdout.line(`     ${entries} entries before it are good`);
    return;
  }
  stdout.line(`${green('ok')}  ${entries} entries`);
  if (signed === undefined) {
    stdout.line('    hash chain only: nothing was signed');
    return;
  }
  const { checkpoints, from, to, key } = signed;
  stdout.line(`    ${checkpoints} checkpoints, the first over ${from} entries, the last over ${to}`);
  if (entries > to) stdout.line(`    ${entries - to} later entries are in the hash chain only`);
  stdout.line(`    key ${stdout.safeLine(key)}`);
  if (witness === undefined) {
    stdout.line(
      dim('    no witness was checked: anyone with the rights of the engine could have written another log'),
    );
  }
}
