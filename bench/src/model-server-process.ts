import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Exchange } from './exchange.ts';

/** The model server, seen from the benchmark. */
export class ModelServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  /** Base URL for an OpenAI-compatible client. */
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** @throws Error if it doesn't say where it listens */
  static async start(): Promise<ModelServer> {
    const child = fork(fileURLToPath(new URL('./model-server.ts', import.meta.url)));
    const [first] = await Promise.race([once(child, 'message'), endOf(child)]);
    return new ModelServer(child, first.url);
  }

  /** The exchanges since the last call. */
  async take(): Promise<readonly Exchange[]> {
    this.#child.send('take');
    const [exchanges] = await once(this.#child, 'message');
    return exchanges;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}

async function endOf(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the model server ended with ${code} before it listened`);
}
