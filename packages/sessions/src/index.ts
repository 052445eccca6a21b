export { acquireInstanceLock } from './instance-lock.ts';
export { createMemorySessionStore } from './memory-session-store.ts';
export { messageBody, readMessage } from './message-body.ts';
export type {
  AppendOptions,
  Entry,
  InputState,
  NewRecord,
  OpenInput,
  RecordBody,
  RecordsAfter,
  SessionInfo,
  SessionStore,
  StoredRecord,
} from './session-store.ts';
export { createSqliteSessionStore, type SqliteSessionStoreOptions } from './sqlite/sqlite-session-store.ts';
