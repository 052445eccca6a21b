import {
  ClientService,
  type CreateLoginCodeResponse,
  type ListAccessResponse,
  type RotateAccessTokenResponse,
} from '@bulkhead/protocol/client';
import type { GrpcConnection } from './grpc-connection.ts';

/** Who may come in over HTTP. */
export interface AccessCalls {
  /** The owner's token, made at the first use. @throws BulkheadError also `unauthenticated` if its file can't be trusted */
  readAccessToken(signal?: AbortSignal): Promise<string>;
  /** Another token for the owner: the old one and all logins end. */
  rotateAccessToken(signal?: AbortSignal): Promise<RotateAccessTokenResponse>;
  /** A code that logs one browser in, once, within a minute. */
  createLoginCode(signal?: AbortSignal): Promise<CreateLoginCodeResponse>;
  /** @returns the token, told this once. @throws BulkheadError `usage` for a name that is none or taken */
  createProgramToken(name: string, signal?: AbortSignal): Promise<string>;
  listAccess(signal?: AbortSignal): Promise<ListAccessResponse['grants']>;
  /** @param target id of a login or a program's token, or the program's name. @returns false if there is none */
  revokeAccess(target: string, signal?: AbortSignal): Promise<boolean>;
}

export function accessCalls(connection: GrpcConnection): AccessCalls {
  const { method } = ClientService;
  return {
    readAccessToken: async (signal) => (await connection.unary(method.readAccessToken, {}, signal)).token,
    rotateAccessToken: (signal) => connection.unary(method.rotateAccessToken, {}, signal),
    createLoginCode: (signal) => connection.unary(method.createLoginCode, {}, signal),
    createProgramToken: async (name, signal) =>
      (await connection.unary(method.createProgramToken, { name }, signal)).token,
    listAccess: async (signal) => (await connection.unary(method.listAccess, {}, signal)).grants,
    revokeAccess: async (target, signal) =>
      (await connection.unary(method.revokeAccess, { target }, signal)).revoked,
  };
}
