export { API_ROOT, type CallName, isInQuery, type Route } from './route.ts';
export { routeTable } from './route-table.ts';
