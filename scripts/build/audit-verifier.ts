import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies the verifier of audit logs unchanged: exports include it, and it must stay readable and
 * self-contained.
 *
 * @param root The checkout.
 * @param outputFolder Gets `audit-verify.mjs`.
 * @returns The copied file's path below the output folder.
 */
export async function copyAuditVerifier(root: string, outputFolder: string): Promise<string> {
  const name = 'audit-verify.mjs';
  await copyFile(join(root, 'packages/audit/standalone/verify.mjs'), join(outputFolder, name));
  return name;
}
