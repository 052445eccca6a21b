import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { objectId } from '@bulkhead/files';
import { BulkheadError, type ToolPlan, type ToolResult } from '@bulkhead/protocol';
import { rgPath } from '@vscode/ripgrep';
import type { BoundTool, CallContext, WorkerContext } from '../definitions/worker-tool.ts';
import { FileVersions } from '../files/file-versions.ts';
import type { AskProtected, Grant } from '../files/grant.ts';
import { GrantedFiles } from '../files/granted-files.ts';
import { everyTool } from '../tools/every-tool.ts';
import { inspectFile } from '../worker/run-directives.ts';
import { TemporaryFolder } from './temporary-folder.ts';

/** The worker's tools over a real temporary folder, in this process. */
export class ToolBench implements Disposable {
  readonly #folder: TemporaryFolder;
  readonly #files: GrantedFiles;
  readonly #context: WorkerContext;
  /** The working folder. */
  readonly root: string;
  /** A folder beside it that no tool may reach. */
  readonly outside: string;
  /** A second, read-only folder of the grant. */
  readonly outputs: string;

  /** @param parent for its folders, if not the system's temporary folder */
  constructor(parent?: string) {
    this.#folder = new TemporaryFolder(parent);
    this.root = join(this.#folder.path, 'work');
    this.outside = join(this.#folder.path, 'outside');
    mkdirSync(this.root);
    mkdirSync(this.outside);
    this.outputs = join(this.#folder.path, '.bulkhead', 'outputs');
    mkdirSync(this.outputs, { recursive: true });
    const grant: Grant = {
      roots: [
        { path: this.root, access: 'rw' },
        { path: this.outputs, access: 'ro' },
      ],
    };
    // Everything outside is protected.
    const askProtected: AskProtected = async (objects) => {
      const outside = readdirSync(this.outside).map((name) =>
        objectId(lstatSync(join(this.outside, name), { bigint: true })),
      );
      return objects.map((object) => outside.includes(objectId(object)));
    };
    this.#files = GrantedFiles.open(grant, { askProtected });
    this.#context = {
      files: this.#files,
      versions: new FileVersions(),
      ripgrep: rgPath,
    };
  }

  at(...names: readonly string[]): string {
    return join(this.root, ...names);
  }

  /** Runs a tool and returns its result; a failure becomes an error result, as in the worker. */
  async run(name: string, input: unknown, signal = never()): Promise<ToolResult> {
    return await orError(async () => (await toolOf(name)).run(input, this.#call(), () => undefined, signal));
  }

  /** As `run`, for a plan. */
  async plan(name: string, input: unknown, signal = never()): Promise<ToolPlan> {
    return {
      changes: [],
      ...(await orError(async () => (await toolOf(name)).plan(input, this.#call(), signal))),
    };
  }

  inspect(path: string): Promise<string | null | undefined> {
    return inspectFile(this.#files, path, never());
  }

  async text(name: string, input: unknown): Promise<string> {
    return (await this.run(name, input)).text;
  }

  #call(): CallContext {
    return { ...this.#context, actionId: randomBytes(16).toString('hex') };
  }

  [Symbol.dispose](): void {
    this.#files[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}

const never = () => new AbortController().signal;

async function toolOf(name: string): Promise<BoundTool> {
  const tool = await everyTool.find((candidate) => candidate.name === name)?.worker?.();
  if (tool === undefined) throw new Error(`no worker has a tool ${name}`);
  return tool;
}

async function orError<Outcome>(
  act: () => Promise<Outcome>,
): Promise<Outcome | { text: string; isError: boolean }> {
  try {
    return await act();
  } catch (error) {
    if (!BulkheadError.is(error)) throw error;
    return { text: `${error.code}: ${error.message}`, isError: true };
  }
}
