export type {
  RecordedRequest,
  Script,
  ScriptedHttpError,
  ScriptedReply,
  ScriptedToolCall,
  ScriptedUsage,
  ScriptHandler,
} from './script.ts';
export {
  type ScriptedModelServer,
  type ScriptedServerOptions,
  startScriptedModelServer,
} from './scripted-model-server.ts';
export { testCertificate } from './test-certificate.ts';
