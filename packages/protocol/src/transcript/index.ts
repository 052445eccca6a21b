export { branchEvents } from './branch-events.ts';
export { briefArguments, type CommandFailure, commandFailure, errorBrief, firstLine } from './brief.ts';
export { foldEvent, missedSome } from './fold-event.ts';
export { type ItemList, itemAt, itemsOf } from './item-list.ts';
export type {
  ApprovalDecision,
  ApprovalQuestion,
  CompactionItem,
  EndItem,
  ErrorItem,
  MessageItem,
  ResumedItem,
  RetryItem,
  ToolItem,
  ToolState,
  ToolVerdict,
  TranscriptItem,
} from './items.ts';
export { judgeName } from './judge-name.ts';
export { keptWords } from './kept-words.ts';
export { type EventHeader, parseEvent, parseEventHeader } from './parse-event.ts';
export { refusalAdvice } from './refusal-advice.ts';
export { settledNote } from './settled-note.ts';
export { spentSoFar } from './spent.ts';
export { type TreeRow, treeRows } from './tree-rows.ts';
export { emptyTranscript, isBusy, type RunView, type Spent, type TranscriptView } from './view.ts';
