import type { CallerBook } from '@bulkhead/http';
import { type Front, serveFront } from '@bulkhead/http/front';
import { BulkheadError, systemTimers } from '@bulkhead/protocol';
import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import type { Logger } from 'pino';
import type { AccessDesk } from '../access/access-desk.ts';
import { errorFromMetadata } from '../client/error-metadata.ts';
import { registerClientService } from '../service/client-service.ts';
import type { ClientServiceParts } from '../service/client-service-parts.ts';
import type { EngineOptions } from './engine-options.ts';

/**
 * Opens the HTTP port. The door behind it is read at the first request that needs it, and reaches the same handlers as gRPC through a transport
 * within this process.
 *
 * @param service called when the door opens
 * @throws BulkheadError `not_available` if a configured port is taken
 */
export function openHttp(parts: {
  readonly options: Pick<EngineOptions, 'clock' | 'dist'>;
  readonly port: number | undefined;
  readonly access: AccessDesk;
  readonly book: CallerBook;
  readonly logger: Logger;
  readonly health: () => string;
  service(): ClientServiceParts;
}): Promise<Front> {
  const { options, port, access, book, logger } = parts;
  const onError = (error: unknown): void => logger.error({ err: error }, 'the HTTP door');
  return serveFront({
    port,
    health: parts.health,
    onError,
    load: async (facts) => {
      const { HttpDoor } = await import('@bulkhead/http');
      return HttpDoor.open({
        facts,
        transport: createRouterTransport((router) => registerClientService(router, parts.service())),
        errorOf,
        access,
        book,
        clock: options.clock,
        timers: systemTimers,
        webFolder: `${options.dist}/web`,
        onError,
      });
    },
  });
}

/** The error that a handler meant: it left as a status and metadata, as for any client. */
function errorOf(error: unknown): BulkheadError {
  if (!(error instanceof ConnectError)) return BulkheadError.from(error);
  const { code, rawMessage, metadata, cause } = error;
  if (code === Code.Unknown && cause !== undefined) return BulkheadError.from(cause);
  return errorFromMetadata(code, rawMessage, Object.fromEntries(metadata));
}
