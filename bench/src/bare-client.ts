import { fileURLToPath } from 'node:url';
import { type ProgramOptions, type ProgramRun, runProgram } from './run-program.ts';

/** The client to compare with, on the same Node.js and against the same server. */
export interface BareClient {
  /** @param started receives the process id */
  run(model: string, started?: (pid: number) => void): Promise<ProgramRun>;
}

const SCRIPT = fileURLToPath(new URL('./bare-client.mjs', import.meta.url));

/** @param nodePath the product's own runtime */
export function bareClient(
  nodePath: string,
  url: string,
  options: Required<Pick<ProgramOptions, 'cwd' | 'env' | 'signal'>>,
): BareClient {
  return {
    run: (model, started) =>
      runProgram(nodePath, [SCRIPT, url, model, 'say hi'], {
        ...options,
        ...(started === undefined ? {} : { started }),
      }),
  };
}
