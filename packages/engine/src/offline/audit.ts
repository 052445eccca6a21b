/*
 * Functions of the CLI for reading a home's audit log, with or without an engine: the log is files,
 * and any user who may read them may verify them. Apart from the client's own entry point: no other
 * command should load it.
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
