import type { DurableEventBody, ToolDescription, ToolHost } from '@bulkhead/protocol';
import { declaredName } from '@bulkhead/protocol';
import type { AwaitedCall, ClientCallService } from './client-call-service.ts';

/** The tool of one call, if the program that started the run supplied it. */
export interface OfferedTool {
  readonly description: ToolDescription;
  readonly host: ToolHost;
}

/**
 * A client tool for one call. It notifies the program of the call, and waits.
 *
 * @param publish appends the event for the program to the session's log
 */
export function offeredTool(
  description: ToolDescription,
  call: AwaitedCall,
  service: Pick<ClientCallService, 'answer'>,
  publish: (event: DurableEventBody) => void,
): OfferedTool {
  const name = declaredName(description.name) ?? description.name;
  const host: ToolHost = {
    execute: ({ actionId, canonicalArguments }, _update, signal) =>
      service.answer(
        call,
        (expires) =>
          publish({
            type: 'client_call',
            action: actionId,
            call: call.callId,
            name,
            arguments: JSON.parse(canonicalArguments),
            expires: new Date(expires).toISOString(),
          }),
        signal,
      ),
    plan: async () => ({
      text: `${name} would be called in the program that started this run.`,
      isError: false,
      changes: [],
    }),
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: undefined })),
  };
  return { description, host };
}
