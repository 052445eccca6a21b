export { testCall } from './testing/test-call.ts';
