import type { JsonObject } from '@bufbuild/protobuf';
import type { ClientService } from '@bulkhead/protocol/client';

/** An example request and answer of a call; the members in its path are not in the request. */
export interface CallExample {
  readonly request?: JsonObject;
  readonly response?: JsonObject;
}

const SESSION = '01K9XQ4M2T7V0B6N3D5F8G1HJR';
const MESSAGE = '3f1f6f52-3b0e-4c6e-9c3c-8a1d3a0f5b7e';
const ACTION_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** Examples of the calls in a conversation. */
export const CALL_EXAMPLES: Readonly<Partial<Record<keyof typeof ClientService.method, CallExample>>> = {
  createSession: { request: { workingFolder: '/home/ada/project' }, response: { sessionId: SESSION } },
  sendMessage: {
    request: {
      messageId: MESSAGE,
      content: 'Which of these files is the largest?',
      options: { approve: 'APPROVAL_MODE_ASK' },
    },
    response: { messageId: MESSAGE, afterSeq: 1, duplicate: false },
  },
  cancelRun: { request: { messageId: MESSAGE }, response: { cancelled: true } },
  forkSession: { request: { entryId: '' }, response: { sessionId: '01K9XQ6A9C2E4G6J8M0P3R5T7V' } },
  listApprovals: {
    response: {
      approvals: [
        {
          approvalId: '01K9XQ5P8W3Y6A1C4E7G0J2M5N',
          sessionId: SESSION,
          actionId: '01K9XQ5P8VZ1T4R7N0K3H6E9B2',
          actionHash: ACTION_HASH,
          tool: 'bash',
          shown: 'bash\n  command: npm publish',
          reason: 'it sends to another machine',
          expires: '2026-01-01T12:05:00.000Z',
          scopes: ['once', 'session'],
          rule: '',
          remainingMs: 300_000,
          channel: 'tui',
          sender: 'owner',
          senderName: '',
        },
      ],
    },
  },
  decideApproval: {
    request: { sessionId: SESSION, actionHash: ACTION_HASH, answer: 'APPROVAL_ANSWER_ALLOW_ONCE' },
    response: { accepted: true, decision: 'allow', by: 'person', scope: 'once' },
  },
  setTitle: { request: { title: 'Which file is the largest' }, response: {} },
  addMemory: { request: { text: 'The tests of this project run with make check.' } },
};
