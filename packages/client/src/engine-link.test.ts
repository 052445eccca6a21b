import { GRPC_STATUS } from '@bulkhead/home/errors/error-metadata';
import { BulkheadError } from '@bulkhead/protocol';
import { VirtualTime } from '@bulkhead/testkit/simulation';
import { describe, expect, it } from 'vitest';
import { createEngineClient } from './engine-client.ts';
import { EngineLink } from './engine-link.ts';
import { GrpcConnection } from './grpc-connection.ts';

/** A stopping engine's answer: the call was not executed. */
const refused = () =>
  new BulkheadError('not_running', 'the engine is stopping', {
    details: { grpcStatus: GRPC_STATUS.unavailable },
  });
/** It is unknown whether the call was executed. */
const lost = () => new BulkheadError('not_running', 'the connection to the engine was lost');

/** A link whose calls fail with these errors in order, and then succeed. */
function linkTo(failures: BulkheadError[]) {
  const client = () => createEngineClient(GrpcConnection.open('/nowhere/socket', 'token', 'cli'));
  let connections = 1;
  const link = new EngineLink(
    client(),
    async () => {
      connections += 1;
      return client();
    },
    new VirtualTime(),
  );
  const call = async (): Promise<string> => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return 'done';
  };
  return { link, call, connections: () => connections };
}

describe('a link to an engine that comes and goes', () => {
  it('repeats what a stopping engine refused until the next one takes it, also what may be made only once [P8]', async () => {
    for (const kind of ['repeat', 'once'] as const) {
      const { link, call, connections } = linkTo([refused(), refused(), refused()]);
      using _link = link;
      expect(await link[kind](call, new AbortController().signal)).toBe('done');
      expect(connections()).toBe(4);
    }
  });

  it('makes no call again that may have been made and must not be made twice', async () => {
    const once = linkTo([lost()]);
    using _once = once.link;
    await expect(once.link.once(once.call)).rejects.toMatchObject({ code: 'not_running' });
    const again = linkTo([lost(), refused()]);
    using _again = again.link;
    expect(await again.link.repeat(again.call, new AbortController().signal)).toBe('done');
  });
});
