import {
  ClientService,
  type InspectSkillResponse,
  type InstallSkillResponse,
  type ListSkillsResponse,
  type ListTemplatesResponse,
  type ReadSkillResponse,
} from '@bulkhead/protocol/client';
import type { GrpcConnection } from './grpc-connection.ts';

/** A folder or an archive on this machine, and where the client fetched it from; empty if it was there. */
interface SkillOrigin {
  readonly source: string;
  readonly fetchedFrom: string;
}

/** Skills and templates as a local client sees them. Folders and sources are absolute paths. */
export interface SkillClient {
  /** @param workingFolder empty for none */
  listSkills(workingFolder: string, signal?: AbortSignal): Promise<ListSkillsResponse>;
  /** @throws BulkheadError `not_found` */
  readSkill(name: string, workingFolder: string, signal?: AbortSignal): Promise<ReadSkillResponse>;
  /** @throws BulkheadError `usage`, `blocked`, `config_invalid` for what can't be installed */
  inspectSkill(request: SkillOrigin, signal?: AbortSignal): Promise<InspectSkillResponse>;
  /** @throws BulkheadError `blocked` if the source does not have this hash (any more) */
  installSkill(
    request: SkillOrigin & { readonly hash: string; readonly global: boolean },
    signal?: AbortSignal,
  ): Promise<InstallSkillResponse>;
  /** @throws BulkheadError `not_found`; `blocked` if the skill does not have this hash (any more) */
  pinSkill(
    request: { readonly name: string; readonly hash: string; readonly global: boolean },
    signal?: AbortSignal,
  ): Promise<void>;
  /** @returns false if there was none */
  removeSkill(
    request: { readonly name: string; readonly global: boolean },
    signal?: AbortSignal,
  ): Promise<boolean>;
  /** @returns path of its `SKILL.md` @throws BulkheadError `usage` for a name that is taken or can't be one */
  createSkill(
    request: { readonly name: string; readonly global: boolean },
    signal?: AbortSignal,
  ): Promise<string>;
  listTemplates(workingFolder: string, signal?: AbortSignal): Promise<ListTemplatesResponse>;
  /** @returns the message to send @throws BulkheadError `not_found`; `usage` for arguments that are missing */
  expandTemplate(
    request: { readonly name: string; readonly arguments: string; readonly workingFolder: string },
    signal?: AbortSignal,
  ): Promise<string>;
}

export function skillClient(connection: GrpcConnection): SkillClient {
  const { method } = ClientService;
  return {
    listSkills: (workingFolder, signal) => connection.unary(method.listSkills, { workingFolder }, signal),
    readSkill: (name, workingFolder, signal) =>
      connection.unary(method.readSkill, { name, workingFolder }, signal),
    inspectSkill: (request, signal) => connection.unary(method.inspectSkill, request, signal),
    installSkill: (request, signal) => connection.unary(method.installSkill, request, signal),
    pinSkill: async (request, signal) => {
      await connection.unary(method.pinSkill, request, signal);
    },
    removeSkill: async (request, signal) =>
      (await connection.unary(method.removeSkill, request, signal)).removed,
    createSkill: async (request, signal) =>
      (await connection.unary(method.createSkill, request, signal)).location,
    listTemplates: (workingFolder, signal) =>
      connection.unary(method.listTemplates, { workingFolder }, signal),
    expandTemplate: async (request, signal) =>
      (await connection.unary(method.expandTemplate, request, signal)).text,
  };
}
