import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError, type ToolResult } from '@bulkhead/protocol';
import { rgPath } from '@vscode/ripgrep';
import { workerTools } from '../executors/worker-tools.ts';
import { FileVersions } from '../files/file-versions.ts';
import { GrantedFiles } from '../files/granted-files.ts';
import { TemporaryFolder } from './temporary-folder.ts';

/** The worker's tools over a real folder of a test's own, in this process. */
export class ToolBench implements Disposable {
  readonly #folder = new TemporaryFolder();
  readonly #files: GrantedFiles;
  readonly #versions = new FileVersions();
  /** The working folder. */
  readonly root: string;
  /** A folder beside it, which no tool may reach. */
  readonly outside: string;
  /** A second folder of the grant, to read only. */
  readonly outputs: string;

  constructor() {
    this.root = join(this.#folder.path, 'work');
    this.outside = join(this.#folder.path, 'outside');
    mkdirSync(this.root);
    mkdirSync(this.outside);
    this.outputs = join(this.#folder.path, '.bulkhead', 'outputs');
    mkdirSync(this.outputs, { recursive: true });
    this.#files = GrantedFiles.open({
      roots: [
        { path: this.root, access: 'rw' },
        { path: this.outputs, access: 'ro' },
      ],
    });
  }

  at(...names: readonly string[]): string {
    return join(this.root, ...names);
  }

  /** Runs a tool and returns its result; its failure becomes an error result, as in the worker. */
  async run(name: string, input: unknown, signal = new AbortController().signal): Promise<ToolResult> {
    const tool = workerTools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const context = {
      files: this.#files,
      versions: this.#versions,
      ripgrep: rgPath,
      nonce: () => randomBytes(16).toString('hex'),
    };
    try {
      return await tool.run(input, context, () => undefined, signal);
    } catch (error) {
      if (!BulkheadError.is(error)) throw error;
      return { text: `${error.code}: ${error.message}`, isError: true };
    }
  }

  async text(name: string, input: unknown): Promise<string> {
    return (await this.run(name, input)).text;
  }

  [Symbol.dispose](): void {
    this.#files[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}
