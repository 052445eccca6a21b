export { parseAgentArguments } from './agent-arguments.ts';
export { runAgent } from './run-agent.ts';
