export { testCall } from './testing/test-call.ts';
export { ToolBench } from './testing/tool-bench.ts';
