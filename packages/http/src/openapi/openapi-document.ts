import type { DescMethod, JsonObject } from '@bufbuild/protobuf';
import { ALL_SESSIONS, PRODUCT_VERSION } from '@bulkhead/protocol';
import { type ClientService, WatchResponseSchema } from '@bulkhead/protocol/client';
import { COMMENTS } from '@bulkhead/protocol/comments';
import { API_ROOT, isInQuery } from '@bulkhead/protocol/routes';
import { cookieName } from '../checks/session-cookie.ts';
import { type Row, routeRows } from '../routes/router.ts';
import { fieldSchema, MessageSchemas, type Schema } from './message-schemas.ts';
import { otherPaths } from './other-paths.ts';

type Operation = Readonly<Record<string, unknown>>;
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/**
 * The OpenAPI 3.1 document of the door, made of the routes that the door follows and the messages
 * that it checks, so it cannot differ from the behaviour.
 */
export function openApiDocument(port: number) {
  const schemas = new MessageSchemas();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const row of routeRows()) {
    const path = `${API_ROOT}${row.route.path}`;
    paths[path] = { ...paths[path], [row.route.verb.toLowerCase()]: operation(row, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bulkhead',
      version: PRODUCT_VERSION,
      description:
        'The engine of one person on one machine. Errors have the code, what happened, and how to mend it.',
    },
    servers: [{ url: `http://127.0.0.1:${port}` }],
    security: [{ bearer: [] }, { cookie: [] }],
    paths: { ...paths, ...otherPaths() } satisfies Paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token that `bulkhead token` prints.' },
        cookie: { type: 'apiKey', in: 'cookie', name: cookieName(port) },
      },
      responses: {
        Error: {
          description: 'What went wrong',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      schemas: { ...schemas.all(), Error: ERROR, EventLine: EVENT_LINE },
    },
  };
}

const ERROR: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        fix: { type: 'string', description: 'What to do about it' },
      },
    },
  },
};

const EVENT_LINE: Schema = {
  type: 'object',
  description: 'An event of a session. Further members by type.',
  required: ['seq', 'time', 'session', 'turn', 'type'],
  properties: {
    seq: { type: 'integer', minimum: 0 },
    time: { type: 'string', format: 'date-time' },
    session: { type: 'string' },
    turn: { type: 'string' },
    type: { type: 'string' },
    ephemeral: { type: 'boolean', const: true },
    watch: {
      type: 'string',
      const: ALL_SESSIONS,
      description: 'On the event stream: it comes because all sessions are watched',
    },
  },
};

/** The call's comment in the `.proto` file: its first sentence, then the rest. */
function summaryOf({ parent, name }: DescMethod): Operation {
  const [, summary, rest] = /^(.*?[.!?])(?: (.*))?$/.exec(COMMENTS[`${parent.typeName}.${name}`] ?? '') ?? [];
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(rest === undefined ? {} : { description: rest }),
  };
}

function operation({ route, method, parts }: Row, schemas: MessageSchemas): Operation {
  const inPath = new Set(parts.filter((part) => part.startsWith('{')).map((part) => part.slice(1, -1)));
  const inQuery = isInQuery(route);
  const fields = method.input.fields.filter((field) => inQuery || inPath.has(field.jsonName));
  const parameters = fields.map((field) => ({
    name: field.jsonName,
    in: inPath.has(field.jsonName) ? 'path' : 'query',
    required: inPath.has(field.jsonName),
    schema: fieldSchema(field),
  }));
  return {
    operationId: method.localName,
    ...summaryOf(method),
    tags: [parts[0] ?? ''],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(inQuery ? {} : { requestBody: body(method, inPath, schemas) }),
    responses: {
      '200': {
        description: 'The answer',
        content: answerContent(method, schemas),
      },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

/** The body of a call, without the members in the path. */
function body(method: DescMethod, inPath: ReadonlySet<string>, schemas: MessageSchemas): Operation {
  const rest = method.input.fields.filter(({ jsonName }) => !inPath.has(jsonName));
  for (const field of rest) if (field.message !== undefined) schemas.sent(field.message);
  const properties = Object.fromEntries(rest.map((field) => [field.jsonName, fieldSchema(field)]));
  const schema = { type: 'object', properties, additionalProperties: false };
  return { required: false, content: { 'application/json': { schema, ...exampleOf(method, 'request') } } };
}

/** @returns nothing for a call without an example */
function exampleOf({ localName }: DescMethod, side: 'request' | 'response'): Operation {
  const example = new Map(Object.entries(CALL_EXAMPLES)).get(localName)?.[side];
  return example === undefined ? {} : { example };
}

function answerContent(method: DescMethod, schemas: MessageSchemas): Operation {
  const { output: message } = method;
  if (method.methodKind === 'unary')
    return { 'application/json': { schema: schemas.got(message), ...exampleOf(method, 'response') } };
  const isEvent = message.typeName === WatchResponseSchema.typeName;
  const line = isEvent ? { $ref: '#/components/schemas/EventLine' } : schemas.got(message);
  return { 'application/x-ndjson': { schema: line } };
}

/** An example request and answer of a call; the members in its path are not in the request. */
interface CallExample {
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
