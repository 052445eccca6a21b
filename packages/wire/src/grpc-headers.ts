import type { DescMethod } from '@bufbuild/protobuf';

/** gRPC over HTTP/2: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md */
export const CONTENT_TYPE = 'application/grpc+proto';

/** The `:path` under which a method is called. */
export function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** A content type without a subtype means protobuf too. */
export function isGrpc(contentType: string | undefined): boolean {
  return contentType === CONTENT_TYPE || contentType === 'application/grpc';
}
