import { create } from '@bufbuild/protobuf';
import { scriptedClient } from '@bulkhead/client/testing';
import { BulkheadError, type EventBody } from '@bulkhead/protocol';
import {
  AcceptLossResponseSchema,
  type BranchEntry,
  CancelRunResponseSchema,
  type DecideApprovalRequest,
  DecideApprovalRequestSchema,
  DecideApprovalResponseSchema,
  ForkSessionResponseSchema,
  type KnownModel,
  ListApprovalsResponseSchema,
  ListModelsResponseSchema,
  ListSessionsResponseSchema,
  MoveLeafResponseSchema,
  type OpenApproval,
  OpenApprovalSchema,
  type ReadBranchResponse,
  ReadBranchResponseSchema,
  ReadContextResponseSchema,
  ReadTreeResponseSchema,
  type SearchHit,
  SearchSessionsResponseSchema,
  type SendMessageRequest,
  SendMessageRequestSchema,
  SendMessageResponseSchema,
  type SessionSummary,
  type TreeEntry,
  type WatchResponse,
  WatchResponseSchema,
} from '@bulkhead/protocol/client';
import type { UiClient, UiLink } from '../link/ui-link.ts';

/** A scripted engine that records its requests. */
export class ScriptedLink implements UiLink {
  readonly sent: SendMessageRequest[] = [];
  readonly decided: DecideApprovalRequest[] = [];
  readonly cancelled: string[] = [];
  readonly moved: string[] = [];
  readonly forked: string[] = [];
  sessions: readonly SessionSummary[] = [];
  hits: readonly SearchHit[] = [];
  entries: readonly BranchEntry[] = [];
  imported: readonly BranchEntry[] = [];
  /** Parents first; a page holds the newest `treePage` entries, or those before an entry. */
  tree: readonly TreeEntry[] = [];
  treePage = 500;
  models: readonly KnownModel[] = [];
  approvals: readonly OpenApproval[] = [];
  /** The reason for refusing messages and answers; undefined to accept them. */
  refuses: string | undefined;
  window = 100_000;
  used = 20_000;
  readonly #lines: WatchResponse[] = [];
  #seq = 0;
  #wake: (() => void) | undefined;
  #tell: ((connection: 'lost' | 'back') => void) | undefined;

  readonly client: UiClient = scriptedClient(
    {
      readTree: async ({ before = '' }) => {
        const found = this.tree.findIndex((entry) => entry.entryId === before);
        const end = found < 0 ? this.tree.length : found;
        const start = Math.max(0, end - this.treePage);
        const leaf = this.tree.findLast(({ current }) => current)?.entryId ?? '';
        const entries = this.tree.slice(start, end);
        return create(ReadTreeResponseSchema, { entries, leaf, more: start > 0 });
      },
      sendMessage: async (request) => {
        if (this.refuses !== undefined) throw new BulkheadError('usage', this.refuses);
        this.sent.push(create(SendMessageRequestSchema, request));
        return create(SendMessageResponseSchema, {});
      },
      decideApproval: async (request) => {
        if (this.refuses !== undefined) throw new BulkheadError('usage', this.refuses);
        this.decided.push(create(DecideApprovalRequestSchema, request));
        return create(DecideApprovalResponseSchema, { accepted: true });
      },
      acceptLoss: async ({ sessionId }) => {
        this.sessions = this.sessions.map((one) =>
          one.sessionId === sessionId ? { ...one, loss: '' } : one,
        );
        return create(AcceptLossResponseSchema, { lost: `session ${sessionId} lost its records 3 to 9` });
      },
      cancelRun: async ({ messageId = '' }) => {
        this.cancelled.push(messageId);
        return create(CancelRunResponseSchema, { cancelled: true });
      },
      listApprovals: async () => create(ListApprovalsResponseSchema, { approvals: [...this.approvals] }),
      listSessions: async () => create(ListSessionsResponseSchema, { sessions: [...this.sessions] }),
      searchSessions: async () => create(SearchSessionsResponseSchema, { hits: [...this.hits] }),
      listModels: async () => create(ListModelsResponseSchema, { models: [...this.models] }),
      readContext: async () =>
        create(ReadContextResponseSchema, {
          contextWindow: this.window,
          sections: [{ part: 'system', name: 'all', tokens: this.used }],
        }),
      forkSession: async ({ entryId = '' }) => {
        this.forked.push(entryId);
        return create(ForkSessionResponseSchema, { sessionId: 'fork' });
      },
      moveLeaf: async ({ entryId = '', toEnd = false }) => {
        this.moved.push(toEnd ? `end of ${entryId}` : entryId);
        return create(MoveLeafResponseSchema);
      },
    },
    {
      watch: ({ afterSeq = 0, follow = false }) => this.#watch(afterSeq, follow),
      readBranch: ({ entryId = '', imported = false }) => this.#branch(entryId, imported),
    },
  );

  /** The last durable event that was sent. */
  get seq(): number {
    return this.#seq;
  }

  /** The engine has the whole action of which the event shows a part. */
  knows(approvalId: string, actionHash: string, shown: string): void {
    this.approvals = [create(OpenApprovalSchema, { approvalId, actionHash, shown })];
  }

  /** Sends events of the run `r`, as the engine writes them. */
  tell(...bodies: readonly EventBody[]): void {
    for (const body of bodies) {
      const ephemeral = body.type.endsWith('_delta') || body.type === 'gap';
      if (!ephemeral) this.#seq += 1;
      const seq = ephemeral ? this.#seq + 1 : this.#seq;
      const mark = ephemeral ? { ephemeral: true } : {};
      const place = { seq, time: '2026-01-01T00:00:00Z', session: 's', turn: 'r', ...mark };
      const json = JSON.stringify({ ...place, ...body });
      this.#lines.push(create(WatchResponseSchema, { seq, type: body.type, ephemeral, json }));
    }
    this.#wake?.();
  }

  /** The connection is lost or restored. */
  connection(state: 'lost' | 'back'): void {
    this.#tell?.(state);
  }

  repeat<T>(action: (client: UiClient) => Promise<T>): Promise<T> {
    return action(this.client);
  }

  once<T>(action: (client: UiClient) => Promise<T>): Promise<T> {
    return action(this.client);
  }

  async *watch(
    _sessionId: string,
    afterSeq: number,
    signal: AbortSignal,
    tell: (connection: 'lost' | 'back') => void,
  ): AsyncGenerator<WatchResponse> {
    this.#tell = tell;
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
    let at = this.#lines.findIndex(({ seq }) => seq > afterSeq);
    if (at < 0) at = this.#lines.length;
    while (!signal.aborted) {
      const line = this.#lines[at];
      if (line === undefined) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
      } else {
        at += 1;
        yield line;
      }
    }
  }

  async *#watch(afterSeq: number, follow: boolean): AsyncGenerator<WatchResponse> {
    if (follow) throw new Error('the link follows, not the client');
    yield* this.#lines.filter(({ seq, ephemeral }) => seq > afterSeq && !ephemeral);
  }

  async *#branch(entryId: string, imported: boolean): AsyncGenerator<ReadBranchResponse> {
    const end = this.entries.findIndex((entry) => entry.entryId === entryId);
    const entries = end < 0 ? this.entries : this.entries.slice(0, end + 1);
    yield create(ReadBranchResponseSchema, { entries: imported ? [...this.imported] : [...entries] });
  }
}
