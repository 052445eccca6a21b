export { homeOf } from '@bulkhead/engine/client';
