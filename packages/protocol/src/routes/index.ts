export { ALLOWED_READ_ONLY, LOCAL_METHODS, ROUTES } from '../gen/methods.ts';
export { API_ROOT, isInQuery, type Route } from './route.ts';
