import { BulkheadError, type ToolHostCall, type ToolResult, type ToolUpdate } from '@bulkhead/protocol';
import type { AttachRequest } from '@bulkhead/protocol/worker';

interface OpenCall {
  readonly update: ToolUpdate;
  readonly resolve: (result: ToolResult) => void;
  readonly reject: (error: BulkheadError) => void;
}

/** The calls a worker still owes an answer, and the rules for what it may say. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  /**
   * @returns what comes of the call, and how to take it back before it was sent
   * @throws BulkheadError `internal` if a call of that id is open
   */
  open(call: ToolHostCall, update: ToolUpdate): { result: Promise<ToolResult>; forget: () => void } {
    if (this.#calls.has(call.actionId)) {
      throw new BulkheadError('internal', `the action ${call.actionId} runs already`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
    this.#calls.set(call.actionId, { update, resolve, reject });
    return { result: promise, forget: () => this.#calls.delete(call.actionId) };
  }

  /** @throws BulkheadError `protocol_violation` for anything a worker may not send after its `WorkerReady` */
  receive({ event }: AttachRequest): void {
    if (event.case === 'progress') {
      this.#find(event.value.actionId).update(event.value.text);
      return;
    }
    if (event.case !== 'finished') throw violation(`an unexpected message (${event.case ?? 'unknown'})`);
    const { actionId, text, isError, display, terminate } = event.value;
    const call = this.#find(actionId);
    this.#calls.delete(actionId);
    call.resolve({
      text,
      isError,
      ...(display === '' ? {} : { display }),
      ...(terminate ? { terminate } : {}),
    });
  }

  failAll(error: BulkheadError): void {
    for (const call of this.#calls.values()) call.reject(error);
    this.#calls.clear();
  }

  #find(actionId: string): OpenCall {
    const call = this.#calls.get(actionId);
    if (call === undefined) throw violation('an answer to no open call');
    return call;
  }
}

function violation(what: string): BulkheadError {
  return new BulkheadError('protocol_violation', `the worker sent ${what}`);
}
