export type { Action, ActionMetadata, ActionPath, EffectClass } from './action.ts';
export {
  APPROVAL_MODES,
  APPROVAL_SCOPES,
  type ApprovalFate,
  type ApprovalMode,
  type ApprovalScope,
  approvalFate,
} from './approval-fate.ts';
export type { ChangedKind, ChangeRefusal, ChangeWhat } from './change.ts';
export { changeRefusal } from './change-refusal.ts';
export { CLIENT_TOOLS_GROUP, clientToolName, declaredName } from './client-tools.ts';
export { type Clock, type MachineClock, systemClock, systemTimers, type Timers } from './clock.ts';
export type {
  ChangedText,
  ChangeName,
  CommandEffects,
  CommandProblem,
  EffectCounts,
  GoneOn,
  LostContent,
  ObjectKind,
  ObservedChange,
  SettleCommand,
  SettledAs,
  Settlement,
} from './command-effects.ts';
export { BulkheadError, describeError, type ErrorCode, type ErrorFields, errorCode } from './errors.ts';
export type {
  ActionFate,
  DurableEventBody,
  EphemeralEventBody,
  EventBody,
  EventEnvelope,
  EventThought,
  EventType,
  EventUsage,
  Outcome,
  SessionEvent,
  StateName,
  StopReasonName,
} from './events.ts';
export { faultPoint } from './fault-point.ts';
export { FAULT_POINTS, type FaultPoint } from './fault-points.ts';
export { foldName } from './fold-name.ts';
export { type GitPart, gitRefusal, type JudgeGitPart } from './git-refusal.ts';
export { type HomeLayout, homeLayout } from './home.ts';
export { createIdSource, type IdSource } from './ids.ts';
export { inertLine, inertText } from './inert-text.ts';
export { matchId } from './match-id.ts';
export type { ModelCall, ModelClient, ModelPrice, ModelStreamEvent } from './model.ts';
export { nameMatcher } from './name-matcher.ts';
export { type Need, type NeedKind, type NetworkUse, type ShownFolder, transactionFolder } from './need.ts';
export { type Mark, neutralise, UNTRUSTED_INPUT } from './neutralise.ts';
export {
  type CallOrigin,
  CHANNEL_HEADER,
  CLIENT_CHANNELS,
  ORIGIN_HEADER,
  type Origin,
  OWNER_ID,
  originHeader,
  otherOrigin,
  type Sender,
  SOCKET_CHANNELS,
  type SocketChannel,
  UNNAMED_CLIENT,
} from './origin.ts';
export { folderRefusal, type NameRefusal, pathRefusal } from './protected-names.ts';
export type { Redaction, Redactor } from './redaction.ts';
export { mayBeRunLater, runBy } from './run-later.ts';
export { isSecretFile } from './secret-file.ts';
export { ALL_SESSIONS, PROOF_ENDED } from './stream-words.ts';
export type {
  AcceptedCall,
  CallKind,
  FileChange,
  FileState,
  ParsedCall,
  ToolCard,
  ToolDescription,
  ToolHost,
  ToolHostCall,
  ToolPath,
  ToolPlan,
  ToolResult,
  ToolUpdate,
} from './tool.ts';
export {
  ARGUMENT_ROLES,
  type ArgumentRole,
  EFFECT_KINDS,
  type EffectKind,
  FIELD_USES,
  type FieldAnnotation,
  type FieldUse,
  type ResultAnnotation,
  SECRECY_LEVELS,
  type Secrecy,
  SINKS,
  type Sink,
  type ToolAnnotation,
  type ToolAnnotations,
  type ToolFlow,
  WRITERS,
  type Writer,
} from './tool-annotation.ts';
export { DECISIONS, type Decision, strictestOf, type Verdict } from './verdict.ts';
export { PRODUCT_VERSION, PROTOCOL_VERSION, RECORD_VERSION } from './version.ts';
export { visibleText } from './visible-text.ts';
