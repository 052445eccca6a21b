import type { AccessService } from '@bulkhead/actions/access/access-service';
import { errorFromMetadata } from '@bulkhead/home/errors/error-metadata';
import type { CallerBook } from '@bulkhead/http';
import { type Front, type KeptPort, serveFront } from '@bulkhead/http/front';
import { BulkheadError, systemTimers } from '@bulkhead/protocol';
import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import type { Logger } from 'pino';
import { doorOrigin } from '../service/call-origin.ts';
import { registerClientService } from '../service/client-service.ts';
import type { ClientServiceParts } from '../service/client-service-parts.ts';
import type { EngineOptions } from './engine-options.ts';

/** Parts for the door behind the port. */
interface BehindPort {
  readonly access: AccessService;
  readonly book: CallerBook;
  /** The status in `/healthz`. */
  health(): string;
  /** Called when the door opens. */
  service(): ClientServiceParts;
}

/** The port, before and after its door opens. */
export interface OpenedPort extends Front {
  /** Lets requests through: all that they need is ready. */
  opened(behind: BehindPort): void;
}

/**
 * Opens the HTTP port. Until `opened`, requests get an error that asks for a retry: recovery may
 * take long. The code of the door is loaded at the first request that needs it, and reaches the
 * same handlers as gRPC through a transport within this process.
 *
 * @throws BulkheadError `not_available` if a configured port is taken
 */
export async function openHttp(
  parts: {
    readonly options: Pick<EngineOptions, 'clock' | 'dist'>;
    readonly port: number | undefined;
    readonly kept?: KeptPort;
    readonly logger: Logger;
    /** See `serveFront`. */
    readonly unreadMs?: number;
  },
  stack: AsyncDisposableStack,
): Promise<OpenedPort> {
  const { options, port, kept, logger, unreadMs } = parts;
  const onError = (error: unknown): void => logger.error({ err: error }, 'the HTTP door');
  let behind: BehindPort | undefined;
  const front = await serveFront({
    port,
    ...(kept === undefined ? {} : { kept }),
    ...(unreadMs === undefined ? {} : { unreadMs }),
    health: () => behind?.health() ?? 'ok',
    onError,
    isReady: () => behind !== undefined,
    load: async (facts) => {
      if (behind === undefined) throw new BulkheadError('internal', 'the door was opened too early');
      const { access, book, service } = behind;
      const { HttpDoor } = await import('@bulkhead/http');
      return HttpDoor.open({
        facts,
        transport: createRouterTransport((router) => registerClientService(router, service(), doorOrigin)),
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
  stack.defer(() => front.close());
  return {
    ...front,
    opened: (given) => {
      behind = given;
    },
  };
}

/** The handler's original error: it arrives as a status and metadata, as for any client. */
function errorOf(error: unknown): BulkheadError {
  if (!(error instanceof ConnectError)) return BulkheadError.from(error);
  const { code, rawMessage, metadata, cause } = error;
  if (code === Code.Unknown && cause !== undefined) return BulkheadError.from(cause);
  return errorFromMetadata(code, rawMessage, Object.fromEntries(metadata));
}
