export type { ActionFactsBody, ActionIntent } from './actions.ts';
export type { ModelCallBody, NotedLabel } from './context.ts';
export type { CompactionBody } from './conversation.ts';
export {
  eventOfRecord,
  isMark,
  isMarkType,
  isMessage,
  isOf,
  type LogRecord,
  logRecordOf,
  type MarkType,
  type NewLogRecord,
  parseLogRecord,
  type RecordBody,
  type RecordOf,
  type RecordType,
  recordOfEvent,
  reworded,
  SUPPORTED_RECORD_VERSIONS,
  type Version1Record,
} from './log-record.ts';
export type { ClientTool, Delivery, InputBody } from './run.ts';
