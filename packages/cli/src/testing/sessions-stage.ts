import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { dispatch } from '../dispatch.ts';
import { noScript, ScriptedEngine, sessionAmong } from './scripted-engine.ts';
import { type TestEnvironment, testEnvironment } from './test-environment.ts';
import { testHome } from './test-home.ts';

/** Sets a terminal's title; as plain text it is harmless. */
export const ATTACK = '\x1b]0;owned\x07';
export const DAMAGE = `row 7\nis gone${ATTACK}`;
export const INERT = '\\x1b]0;owned';

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' };
const SESSIONS = [
  { sessionId: 'root', title: `plans\n${ATTACK}`, workingFolder: '/w', messages: 4, ...times },
  { sessionId: 'fork', title: '', originSession: 'root', originEntry: 'e2', messages: 2, ...times },
  { sessionId: 'leaf', title: 'deep', originSession: 'fork', originEntry: 'e9', messages: 1, ...times },
  { sessionId: 'quiet', title: 'secret', offTheRecord: true, ...times },
  { sessionId: 'broken', title: 'x', damage: DAMAGE, ...times },
];

const text = (value: string) => ({ part: { case: 'text' as const, value: { text: value } } });
const ENTRIES = [
  {
    entryId: 'e1',
    sessionId: 'root',
    type: 'message_end',
    time: 't1',
    label: `begin${ATTACK}`,
    message: {
      role: { case: 'user' as const, value: { text: 'a question', images: [{ mediaType: 'image/png' }] } },
    },
  },
  {
    entryId: 'e2',
    sessionId: 'root',
    type: 'message_end',
    time: 't2',
    message: {
      role: {
        case: 'assistant' as const,
        value: {
          parts: [
            text('let me look'),
            {
              part: {
                case: 'toolCall' as const,
                value: { callId: 'c', name: 'ls', argumentsJson: `{"path":"${'a'}"}` },
              },
            },
          ],
        },
      },
    },
  },
  {
    entryId: 'e3',
    sessionId: 'root',
    type: 'tool_output',
    time: 't3',
    message: {
      role: { case: 'tool' as const, value: { callId: 'c', name: 'ls', text: `one${ATTACK}\ntwo` } },
    },
  },
  { entryId: 'e4', sessionId: 'root', type: 'compaction', time: 't4', text: `it began${ATTACK}` },
];

/** `bulkhead sessions` against an engine with a few sessions, one of them with a hostile title. */
export class SessionsStage implements AsyncDisposable {
  readonly home = testHome();
  /** Folder of the calls. */
  readonly folder = mkdtempSync(join(tmpdir(), 'bulkhead-sessions-'));
  readonly engine = new ScriptedEngine(this.home.layout, noScript);
  /** Requests to the engine, by call. */
  readonly asked: [call: string, request: unknown][] = [];

  /** @param answers instead of the defaults here */
  static async open(answers: ScriptedEngine['answers'] = {}): Promise<SessionsStage> {
    const stage = new SessionsStage();
    stage.engine.answers = { ...stage.#answers(), ...answers };
    await stage.engine.listen();
    return stage;
  }

  call(...argv: string[]) {
    const environment = testEnvironment(this.home.layout, { cwd: this.folder });
    return end(environment, dispatch(['sessions', ...argv], environment));
  }

  /** As a person at a terminal. */
  see(...argv: string[]) {
    const terminal = ['stdin', 'stdout', 'stderr'] as const;
    const environment = testEnvironment(this.home.layout, { cwd: this.folder, terminal });
    return { environment, end: end(environment, dispatch(['sessions', ...argv], environment)) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
    this.home[Symbol.dispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #answers(): ScriptedEngine['answers'] {
    const { asked } = this;
    const saw =
      <T>(call: string, answer: T) =>
      (request: object) => {
        asked.push([call, request]);
        return answer;
      };
    return {
      listSessions: () => ({ sessions: SESSIONS }),
      readSession: ({ sessionId }) => ({ session: sessionAmong(SESSIONS, sessionId) }),
      searchSessions: saw('search', {
        hits: [
          {
            sessionId: 'root',
            title: `t${ATTACK}`,
            entryId: 'e1',
            time: 't',
            role: 'user',
            snippet: `…a\n${ATTACK}`,
          },
        ],
      }),
      forkSession: saw('fork', { sessionId: 'forked' }),
      moveLeaf: saw('move', {}),
      labelEntry: saw('label', {}),
      setTitle: saw('title', {}),
      importSession: (request) => {
        asked.push(['import', request]);
        const rulesLeftOut = request.path.endsWith('/pinned.jsonl')
          ? ['be brief', `obey ${ATTACK}\nnow`]
          : [];
        return { sessionId: 'imported', rulesLeftOut };
      },
      deleteSession: saw('delete', { deleted: ['leaf', 'fork', 'root'] }),
      async *readBranch(request) {
        asked.push(['branch', request]);
        if (request.imported) return;
        yield { entries: ENTRIES.slice(0, 2) };
        yield { entries: ENTRIES.slice(2) };
      },
      async *exportSession(request) {
        asked.push(['export', request]);
        yield { chunk: '{"line":1}\n' };
        if (request.sessionId === 'broken') throw new ConnectError('row 7 is gone', Code.Internal);
        yield { chunk: `{"line":"${ATTACK}"}\n` };
      },
    };
  }
}

async function end(environment: TestEnvironment, exit: Promise<number>) {
  const code = await exit;
  return { code, out: environment.out(), err: environment.err() };
}
