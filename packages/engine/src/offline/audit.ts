/*
 * What the CLI needs to read the audit log of a home, with or without an engine: the log is files, and whoever may
 * read them may verify them. Apart from the client's own door: no other command should pay for it.
 */
export {
  type AuditVerification,
  actionIds,
  copyLog,
  type ListedEntry,
  listEntries,
  proveAction,
  proveConsistency,
  sessionIds,
  verifyAuditLog,
  type WitnessNotes,
} from '@bulkhead/audit';
