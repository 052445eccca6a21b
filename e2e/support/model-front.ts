import { type AddressInfo, connect, createServer, type Server } from 'node:net';

/** One address for the model servers of several tests: an engine that keeps running is configured with it. */
export class ModelFront implements AsyncDisposable {
  readonly #server: Server;
  #port = 0;

  private constructor() {
    this.#server = createServer((client) => {
      const model = connect(this.#port, '127.0.0.1');
      client.pipe(model);
      model.pipe(client);
      for (const [one, other] of [
        [client, model],
        [model, client],
      ] as const) {
        one.on('error', () => undefined);
        one.on('close', () => other.destroy());
      }
    });
  }

  static async open(): Promise<ModelFront> {
    const front = new ModelFront();
    await new Promise<void>((resolve) => front.#server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${addressOf(this.#server).port}`;
  }

  /** New connections go to this port of the machine; those that are open stay where they are. */
  leadTo(port: number): void {
    this.#port = port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (typeof address === 'object' && address !== null) return address;
  throw new Error('the front does not listen');
}
