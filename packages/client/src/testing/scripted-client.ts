import { BulkheadError } from '@bulkhead/protocol';
import type { CallName, EngineClient, InputOf, OutputOf, StreamName } from '../engine-client.ts';

/** The methods that a test answers, by name. */
export type ScriptedCalls = {
  readonly [Name in CallName]?: (input: InputOf<Name>, signal?: AbortSignal) => Promise<OutputOf<Name>>;
};
export type ScriptedStreams = {
  readonly [Name in StreamName]?: (
    input: InputOf<Name>,
    signal?: AbortSignal,
  ) => AsyncGenerator<OutputOf<Name>>;
};

/** A client for tests without an engine. Unanswered methods give `not_available`. */
export function scriptedClient(calls: ScriptedCalls, streams: ScriptedStreams = {}): EngineClient {
  return {
    call: async (name, input, signal) => {
      const answer = calls[name];
      if (answer === undefined) throw notScripted(name);
      return await answer(input, signal);
    },
    stream: (name, input, signal) => {
      const answer = streams[name];
      if (answer === undefined) throw notScripted(name);
      return answer(input, signal);
    },
    [Symbol.dispose]: () => {},
  };
}

function notScripted(name: string): BulkheadError {
  return new BulkheadError('not_available', `the test answers no ${name}`);
}
