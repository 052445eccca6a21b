import type { EngineClient } from '@bulkhead/client';
import { type InspectFolderResponse, TrustState } from '@bulkhead/protocol/client';
import { confirm } from '../conversation/confirm.ts';
import { type Environment, hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { Output } from '../output/output.ts';
import { inspectionAsJson, showInspection } from './folder-lines.ts';

/**
 * Shows the effects of trusting a folder, asks, and trusts exactly the shown content.
 *
 * @param folder absolute
 * @param options.json prints an object and never asks: then only `yes` trusts
 * @returns the exit code
 * @throws BulkheadError for refusals of the engine: not a folder, or one that can't be trusted
 */
export async function trustFolder(
  client: EngineClient,
  folder: string,
  options: { readonly environment: Environment; readonly json: boolean; readonly yes: boolean },
): Promise<number> {
  const { environment, json, yes } = options;
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  const seen = await client.call('inspectFolder', { folder });
  const tell = (state: InspectFolderResponse['state']) => {
    if (json) stdout.own(`${JSON.stringify(inspectionAsJson({ ...seen, state }))}\n`);
  };
  const settled = settledAlready(seen);
  if (settled !== undefined) {
    tell(seen.state);
    if (!json) stdout.line(`${stdout.safeLine(seen.folder)} ${settled}`);
    return EXIT.completed;
  }
  if (!json) showInspection(seen, stderr);
  if (!yes && (json || !(await confirmed(environment, stderr)))) {
    tell(seen.state);
    if (!json) stderr.line('it is not trusted');
    return EXIT.blocked;
  }
  await client.call('trustFolder', { folder: seen.folder, digest: seen.digest });
  tell(TrustState.TRUSTED);
  if (!json) stdout.line(`${stdout.safeLine(seen.folder)} is trusted`);
  return EXIT.completed;
}

/** Why nothing has to be asked; undefined if it has. */
export function settledAlready({ state, files }: InspectFolderResponse): string | undefined {
  if (state === TrustState.TRUSTED) return `is trusted already (${files.length} files, unchanged)`;
  return files.length === 0
    ? 'holds no AGENTS.md, CLAUDE.md or .bulkhead: there is nothing to trust'
    : undefined;
}

async function confirmed(environment: Environment, stderr: Output): Promise<boolean> {
  if (!hasPerson(environment)) {
    stderr.line('there is no terminal to ask on: add --yes to trust it');
    return false;
  }
  return await confirm(environment, 'Trust it?');
}
