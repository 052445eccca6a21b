export { dispatch } from './dispatch.ts';
export type { Environment } from './environment.ts';
