import { BulkheadError } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { errorFromMetadata, errorFromTrailers, errorMetadata, GRPC_STATUS } from './error-metadata.ts';

const SIGNS = '100 % of ä file, %41 and %zz';

describe('an error of the service', () => {
  it('is the same on the other side, whatever signs it holds, with a wire between and without one [I4]', () => {
    const error = new BulkheadError('busy', SIGNS, { fix: `Wait. ${SIGNS}`, retryable: true });
    const metadata = errorMetadata(error);
    const same = { code: 'busy', message: SIGNS, fix: `Wait. ${SIGNS}`, retryable: true };
    expect(errorFromMetadata(GRPC_STATUS.resourceExhausted, SIGNS, metadata)).toMatchObject(same);
    const trailers = { ...metadata, 'grpc-message': encodeURIComponent(SIGNS) };
    expect(errorFromTrailers(GRPC_STATUS.resourceExhausted, trailers)).toMatchObject(same);
  });

  it('of no words is known by its status', () => {
    const bare = {
      code: 'not_found',
      message: 'the engine refused the call (gRPC status 5)',
      retryable: false,
    };
    expect(errorFromMetadata(GRPC_STATUS.notFound, '', {})).toMatchObject(bare);
    expect(errorFromTrailers(GRPC_STATUS.notFound, {})).toMatchObject(bare);
    expect(errorFromTrailers(GRPC_STATUS.unavailable, {})).toMatchObject({
      code: 'not_running',
      retryable: true,
    });
  });

  it('whose words are badly encoded is passed on as it is', () => {
    expect(errorFromTrailers(GRPC_STATUS.internal, { 'grpc-message': '100 %' }).message).toBe('100 %');
  });
});
