export { providerKeys } from './models/provider-keys.ts';
export { SimulatedAgent } from './testing/simulated-agent.ts';
