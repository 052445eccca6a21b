export type { Bulkhead, SessionInfo } from './bulkhead.ts';
export type { ClientTool } from './client-tool.ts';
export { type BulkheadOptions, createBulkhead } from './create-bulkhead.ts';
export type { Run, RunEnd } from './run.ts';
export type { ApprovalRequest, Decision, SendOptions, Session } from './session.ts';
