export type { AuditDetails, AuditEntry, AuditInput, AuditStep } from './audit-entry.ts';
export { type AuditLog, type AuditLogOptions, openAuditLog } from './audit-log.ts';
export type { AuditVerification, BadEntry, SignedPart } from './verify/audit-verification.ts';
export { type VerifyOptions, verifyAuditLog } from './verify/verify-audit-log.ts';
export type { WitnessNotes } from './verify/witness-notes.ts';
