import { BulkheadError } from '@bulkhead/protocol';
import type { ModelRequest } from '@bulkhead/protocol/agent';
import type { AssistantMessage, StopReason } from '@bulkhead/protocol/chat';
import type { Cancellation } from './cancellation.ts';
import type { LoopPorts, LoopResults } from './loop-ports.ts';

export interface ModelAnswer {
  readonly message: AssistantMessage;
  readonly stopReason: StopReason;
}

/** The gateway's word that a request failed, with its code kept as it came. */
export class ModelRequestFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Asks for one answer and passes its deltas on as they come.
 *
 * @param partial receives the text so far, for a run that is cancelled midway
 * @throws ModelRequestFailed the gateway gave up
 * @throws BulkheadError `format_error` if the stream ends without a whole answer
 * @throws Cancelled
 */
export async function askModel(
  request: ModelRequest,
  ports: Pick<LoopPorts, 'emit'> & { readonly results: Pick<LoopResults, 'model'> },
  cancellation: Cancellation,
  partial: (text: string) => void,
): Promise<ModelAnswer> {
  ports.emit({ type: 'model_request', request });
  const deltas = ports.results.model(request.requestId)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await cancellation.wait(deltas.next());
      if (next.done === true) break;
      const { delta } = next.value;
      if (delta.case === 'text') {
        partial(delta.value);
        ports.emit({ type: 'token', text: delta.value });
      } else if (delta.case === 'thinking') {
        ports.emit({ type: 'thinking', text: delta.value });
      } else if (delta.case === 'failed') {
        throw new ModelRequestFailed(delta.value.code, delta.value.message);
      } else if (delta.case === 'finished') {
        const { message, stopReason } = delta.value;
        if (message === undefined) break;
        return { message, stopReason };
      }
    }
    throw new BulkheadError('format_error', 'the model stream ended without a whole answer');
  } finally {
    // Not awaited: an iterator that is stuck in next() must not keep a cancelled run from ending.
    deltas.return?.().catch(() => undefined);
  }
}
