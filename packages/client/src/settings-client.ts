import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ClientService,
  type ModelTrialSchema,
  type ReadSettingsResponse,
  type SetUpModelResponse,
  type TestModelResponse,
} from '@bulkhead/protocol/client';
import type { GrpcConnection } from './grpc-connection.ts';

type Trial = MessageInitShape<typeof ModelTrialSchema>;

/** Settings and the chat model. What may be changed this way is less than `config.yaml` holds. */
export interface SettingsClient {
  readSettings(signal?: AbortSignal): Promise<ReadSettingsResponse>;
  /** One short request. What fails is in the answer. @throws BulkheadError for what can't be meant */
  testModel(trial: Trial, signal?: AbortSignal): Promise<TestModelResponse>;
  /** Stores the key, if there is one, and lets the model answer at once. @throws BulkheadError also `blocked` */
  setUpModel(trial: Trial, signal?: AbortSignal): Promise<SetUpModelResponse>;
}

export function settingsClient(connection: GrpcConnection): SettingsClient {
  const { method } = ClientService;
  return {
    readSettings: (signal) => connection.unary(method.readSettings, {}, signal),
    testModel: (trial, signal) => connection.unary(method.testModel, { trial }, signal),
    setUpModel: (trial, signal) => connection.unary(method.setUpModel, { trial }, signal),
  };
}
