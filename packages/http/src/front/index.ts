export { type Door, type Front, type FrontFacts, serveFront } from './serve-front.ts';
