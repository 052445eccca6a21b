export { conversationOf, openingOf, toldBy } from './conversation.ts';
export {
  askedIn,
  type ConversationView,
  conversationView,
  pinnedRulesOf,
  RULES_MARK,
} from './conversation-view.ts';
export type { LogAgreement, LogStanding } from './log-agreement.ts';
export { createMemorySessionStore } from './memory-session-store.ts';
export { messageBody, readMessage } from './message-body.ts';
export type {
  AppendOptions,
  Entry,
  EntryLabel,
  EntryPlace,
  FirstRecords,
  InputState,
  ModelCallsQuery,
  ModelCallTotals,
  NewRecord,
  NewSession,
  OpenInput,
  RecentBranch,
  RecordPlace,
  RecordsAfter,
  SearchHit,
  SessionInfo,
  SessionStore,
  StoredRecord,
  TreeNode,
} from './session-store.ts';
export { createSplitSessionStore } from './split-session-store.ts';
export { checkDatabase, type DatabaseFinding } from './sqlite/check-database.ts';
export { openReadOnlyLog, type ReadOnlyLog } from './sqlite/open-read-only-log.ts';
export { restoreOrMove } from './sqlite/sqlite-error.ts';
export {
  createSqliteSessionStore,
  type SqliteSessionStoreOptions,
  type SqliteStore,
} from './sqlite/sqlite-session-store.ts';
export type { Tables } from './sqlite/tables.ts';
export { readOnlySession } from './store-errors.ts';
export { exportHtml } from './transfer/export-html.ts';
export { exportJsonl } from './transfer/export-jsonl.ts';
export { type ImportOptions, importJsonl } from './transfer/import-jsonl.ts';
export { importMessages } from './transfer/import-messages.ts';
export { importedEntries, importedUpTo } from './transfer/imported-note.ts';
