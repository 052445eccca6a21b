export { AuditFold } from './agreement/audit-fold.ts';
export { loggedAudit } from './agreement/logged-audit.ts';
export { OpenActions } from './agreement/open-actions.ts';
export type { EventLine } from './events/event-view.ts';
export { conversationFlaws } from './testing/conversation-flaws.ts';
