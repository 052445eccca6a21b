export { type AcpEnvironment, serveAcp } from './serve-acp.ts';
