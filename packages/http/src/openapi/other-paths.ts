import { API_ROOT } from '@bulkhead/protocol/routes';

type Operation = Readonly<Record<string, unknown>>;

const ANSWER_ERROR = { $ref: '#/components/responses/Error' };

const HEALTH = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['ok', 'reading_only'] } },
};

/** Paths of the door beside the calls of the client service. */
export function otherPaths(): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  return {
    '/healthz': {
      get: {
        operationId: 'healthz',
        summary: 'Whether the engine is up. Open to anybody on this machine.',
        security: [],
        responses: { '200': answer('application/json', HEALTH), default: ANSWER_ERROR },
      },
    },
    '/openapi.json': {
      get: {
        operationId: 'openapi',
        summary: 'This document.',
        responses: { '200': answer('application/json', { type: 'object' }), default: ANSWER_ERROR },
      },
    },
    '/metrics': {
      get: {
        operationId: 'metrics',
        summary: 'Counts for a monitor, in the Prometheus text format.',
        responses: { '200': answer('text/plain', { type: 'string' }), default: ANSWER_ERROR },
      },
    },
    ...openAiPaths(),
    [`${API_ROOT}/login`]: {
      post: {
        operationId: 'login',
        summary: 'Trades a code of `bulkhead token --login` for the session cookie. From our own page only.',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['code'],
                properties: { code: { type: 'string', description: 'What follows #login= in the link' } },
              },
            },
          },
        },
        responses: { '200': answer('application/json', { type: 'object' }), default: ANSWER_ERROR },
      },
    },
    [`${API_ROOT}/logout`]: {
      post: {
        operationId: 'logout',
        summary: 'Ends the login that asks; what it has open ends within a second.',
        responses: { '200': answer('application/json', { type: 'object' }), default: ANSWER_ERROR },
      },
    },
    [`${API_ROOT}/stream`]: {
      get: {
        operationId: 'stream',
        summary:
          'A WebSocket of event lines. Frames to us: {"watch":"SESSION","after":SEQ}, {"watch":"*"}, {"unwatch":"SESSION"}.',
        parameters: [
          { name: 'session', in: 'query', required: false, schema: { type: 'string' } },
          { name: 'after', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } },
        ],
        responses: { '101': { description: 'The socket is open' }, default: ANSWER_ERROR },
      },
    },
  };
}

const ASKED = 'Which of these files is the largest?';

/** Example requests for the OpenAI API. */
export const OPENAI_EXAMPLES = {
  chat: { model: 'bulkhead', messages: [{ role: 'user', content: ASKED }], user: 'files' },
  response: { model: 'bulkhead', input: ASKED, stream: true },
} as const;

/** Their shapes, errors included, are OpenAI's, so this document only names them. */
function openAiPaths(): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  const responses = { '200': answer('application/json', { type: 'object' }) };
  const post = (operationId: string, example: Operation): Operation => ({
    operationId,
    summary: 'OpenAI-compatible; with `stream`, server-sent events.',
    externalDocs: { url: 'https://platform.openai.com/docs/api-reference' },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object' }, example } },
    },
    responses,
  });
  return {
    '/v1/models': { get: { operationId: 'listOpenAIModels', summary: 'OpenAI-compatible.', responses } },
    '/v1/chat/completions': { post: post('createChatCompletion', OPENAI_EXAMPLES.chat) },
    '/v1/responses': { post: post('createResponse', OPENAI_EXAMPLES.response) },
  };
}

function answer(type: string, schema: Operation): Operation {
  return { description: 'The answer', content: { [type]: { schema } } };
}
