import {
  ClientService,
  type ConfirmClockResponse,
  type DoctorCheck,
  type ListModelsResponse,
  type ListToolsResponse,
} from '@bulkhead/protocol/client';
import type { GrpcConnection } from './grpc-connection.ts';

/** How the engine is set up: what it needs, its tools, its models. */
export interface ConsoleCalls {
  /** Takes some seconds. @returns never empty */
  runDoctor(signal?: AbortSignal): Promise<readonly DoctorCheck[]>;
  /** A person says that the engine's wall clock is right. */
  confirmClock(signal?: AbortSignal): Promise<ConfirmClockResponse>;
  listTools(signal?: AbortSignal): Promise<ListToolsResponse>;
  listModels(signal?: AbortSignal): Promise<ListModelsResponse>;
}

export function consoleCalls(connection: GrpcConnection): ConsoleCalls {
  const { method } = ClientService;
  return {
    runDoctor: async (signal) => (await connection.unary(method.runDoctor, {}, signal)).checks,
    confirmClock: (signal) => connection.unary(method.confirmClock, {}, signal),
    listTools: (signal) => connection.unary(method.listTools, {}, signal),
    listModels: (signal) => connection.unary(method.listModels, {}, signal),
  };
}
