export type { Action, ActionMetadata, ActionPath, EffectClass } from './action.ts';
export { type Clock, systemClock } from './clock.ts';
export { BulkheadError, describeError, type ErrorCode, type ErrorFields, errorCode } from './errors.ts';
export type {
  DurableEventBody,
  EphemeralEventBody,
  EventBody,
  EventEnvelope,
  EventThought,
  EventType,
  EventUsage,
  Outcome,
  SessionEvent,
  StopReasonName,
} from './events.ts';
export { type HomeLayout, homeLayout } from './home.ts';
export { createIdSource, type IdSource } from './ids.ts';
export type { ModelCall, ModelClient, ModelStreamEvent } from './model.ts';
export { folderRefusal, foldName, type NameRefusal, pathRefusal } from './protected-names.ts';
export type { ToolDescription, ToolHost, ToolHostCall, ToolPath, ToolResult, ToolUpdate } from './tool.ts';
export type { Decision, Verdict } from './verdict.ts';
export { PRODUCT_VERSION, PROTOCOL_VERSION, RECORD_VERSION } from './version.ts';
