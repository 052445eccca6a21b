export {
  type ApprovalRequest,
  type Bulkhead,
  type BulkheadOptions,
  type ClientTool,
  createBulkhead,
  type Decision,
  type Run,
  type RunEnd,
  type SendOptions,
  type Session,
  type SessionInfo,
} from '@bulkhead/client/sdk';
export { BulkheadError, type ErrorCode, type SessionEvent } from '@bulkhead/protocol';
