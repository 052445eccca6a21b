export type { AgentConnection, AgentDirective, AgentEvent } from './connection/agent-connection.ts';
export { type ServeAgentOptions, serveAgent } from './connection.ts';
export {
  LOAD_SKILLS,
  loadSkillsDefinition,
  loadSkillsResult,
  requestedSkills,
  skillsIn,
} from './loop/load-skills.ts';
export { LOAD_TOOLS, loadToolsDefinition, loadToolsResult, requestedGroups } from './loop/load-tools.ts';
export type { LoopEnd, LoopEvent } from './loop/loop-event.ts';
export type { LoopPorts, LoopResults } from './loop/loop-ports.ts';
export { closingText } from './loop/message-parts.ts';
export { NOTICES, withNotice } from './loop/notices.ts';
export { runLoop } from './loop/run-loop.ts';
export { thoughtsOf } from './loop/thoughts.ts';
export type { PromptFacts, PromptSection } from './prompt/prompt-section.ts';
export { buildSystemPrompt } from './prompt/system-prompt.ts';
