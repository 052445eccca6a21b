export { openHttp } from './composition/open-http.ts';
export { serveClients } from './service/serve-clients.ts';
export { serviceStage } from './testing/service-stage.ts';
