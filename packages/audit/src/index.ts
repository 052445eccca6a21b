export type { AuditDetails, AuditEntry, AuditInput, AuditStep } from './audit-entry.ts';
export { type AuditLog, type AuditLogOptions, openAuditLog } from './audit-log.ts';
export { type AuditVerification, type BadEntry, verifyAuditLog } from './verify-audit-log.ts';
