import { AgentService } from '@bulkhead/protocol/agent';

/** gRPC over HTTP/2: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md */
export const ATTACH_PATH = `/${AgentService.typeName}/${AgentService.method.attach.name}`;
export const CONTENT_TYPE = 'application/grpc+proto';

/** Largest message either side accepts, in bytes. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * Flow-control window, in bytes: what one connection may have under way unread. The default of 64 kB would
 * cost a long history a round trip per 64 kB.
 */
export const WINDOW_BYTES = 1024 * 1024;
