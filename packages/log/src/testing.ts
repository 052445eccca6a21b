export type { EventLine } from './events/event-view.ts';
export { conversationFlaws } from './testing/conversation-flaws.ts';
