export * from './gen/bulkhead/client/v1/audit_pb.ts';
export * from './gen/bulkhead/client/v1/chronicle_pb.ts';
export * from './gen/bulkhead/client/v1/client_pb.ts';
export * from './gen/bulkhead/client/v1/commands_pb.ts';
export * from './gen/bulkhead/client/v1/flow_pb.ts';
export * from './gen/bulkhead/client/v1/sessions_pb.ts';
export * from './gen/bulkhead/client/v1/skills_pb.ts';
export * from './gen/bulkhead/client/v1/trust_pb.ts';
