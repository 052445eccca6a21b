import { readFileSync } from 'node:fs';
import type { DescMethod, DescMethodStreaming, DescMethodUnary } from '@bufbuild/protobuf';
import { ClientService } from '@bulkhead/protocol/client';
import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { refuseChanges } from './interceptors.ts';

/** Methods that an engine on copies of its home may answer, as `api/methods.txt` pins them. */
const READING = readFileSync(new URL('../../../../api/methods.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.endsWith(' read-only'))
  .map((line) => line.split(' ')[0]);

describe('an engine that was started for reading', () => {
  it('refuses every call of the service that would keep something [FT80]', async () => {
    const refusal = new ConnectError('reading only', Code.Unavailable);
    const refuse = (): never => {
      throw refusal;
    };
    const transport = createRouterTransport((router) =>
      router.service(ClientService, {}, { interceptors: [refuseChanges(refuse)] }),
    );
    const passed: string[] = [];
    for (const method of ClientService.methods) {
      const error = await call(method).catch((thrown: unknown) => ConnectError.from(thrown));
      if (ConnectError.from(error).code !== Code.Unavailable) passed.push(method.localName);
    }
    expect(passed.toSorted()).toEqual(READING);

    async function call(method: DescMethod): Promise<unknown> {
      if (isUnary(method)) return await transport.unary(method, undefined, undefined, undefined, {});
      if (!isStreaming(method)) throw new Error(`${method.name} is of no known kind`);
      async function* nothing() {}
      const { message } = await transport.stream(method, undefined, undefined, undefined, nothing());
      for await (const _ of message);
      return undefined;
    }
  });
});

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}

function isStreaming(method: DescMethod): method is DescMethodStreaming {
  return method.methodKind !== 'unary';
}
