// From its own file: a command that draws first does not need the whole client yet.
export { homeOf } from '@bulkhead/client/home-of';
