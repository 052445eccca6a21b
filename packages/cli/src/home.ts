// From its own file: a command that draws first has no use for all of the client yet.
export { homeOf } from '@bulkhead/client/home-of';
