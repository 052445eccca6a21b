type Json = Readonly<Record<string, unknown>>;

const OPERATION = [
  ['operationId', 'summary', 'description', 'tags', 'parameters', 'requestBody', 'responses', 'security'],
  ['externalDocs', 'deprecated', 'callbacks', 'servers'],
].flat();
const PARAMETER = ['name', 'in', 'required', 'schema', 'description', 'example', 'deprecated'];
const MEDIA = ['schema', 'example', 'examples', 'encoding'];
const RESPONSE = ['description', 'headers', 'content', 'links', '$ref'];
const SCHEMA = [
  ['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'format', 'pattern'],
  ['minimum', 'maximum', 'description', 'contentEncoding', '$ref'],
].flat();
const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'];

/** Violations of OpenAPI 3.1 in an operation. */
export function operationProblems(where: string, operation: Json): readonly string[] {
  const { parameters = [], requestBody, responses } = operation;
  return [
    ...strangers(where, operation, OPERATION),
    ...list(parameters).flatMap((one, at) => parameterProblems(`${where} parameter ${at}`, objectOf(one))),
    ...(requestBody === undefined ? [] : contentProblems(`${where} body`, objectOf(requestBody))),
    ...Object.entries(objectOf(responses)).flatMap(([status, one]) =>
      responseProblems(`${where} ${status}`, status, objectOf(one)),
    ),
  ];
}

/** Violations of JSON Schema 2020-12 in a schema, as far as we use it. */
export function schemaProblems(where: string, schema: Json): readonly string[] {
  const {
    type,
    properties = {},
    required = [],
    items,
    additionalProperties: more,
    pattern,
    description,
  } = schema;
  const names = Object.keys(objectOf(properties));
  return [
    ...strangers(where, schema, SCHEMA),
    ...unless(type === undefined || TYPES.includes(String(type)), `${where}: no type ${String(type)}`),
    ...unless((type === undefined) === '$ref' in schema, `${where}: neither a type nor a reference, or both`),
    ...unless(type !== 'array' || items !== undefined, `${where}: a list of what`),
    ...unless(description === undefined || description !== '', `${where}: an empty description`),
    ...unless(typeof pattern !== 'string' || RegExp(pattern).source !== '', `${where}: no pattern`),
    ...list(required).flatMap((name) =>
      unless(names.includes(String(name)), `${where}: requires ${String(name)}`),
    ),
    ...Object.entries(objectOf(properties)).flatMap(([name, one]) =>
      schemaProblems(`${where}.${name}`, objectOf(one)),
    ),
    ...[items, more].flatMap((one) =>
      typeof one === 'object' ? schemaProblems(`${where}[]`, objectOf(one)) : [],
    ),
  ];
}

function parameterProblems(where: string, parameter: Json): readonly string[] {
  const { name, in: place, schema } = parameter;
  return [
    ...strangers(where, parameter, PARAMETER),
    ...unless(typeof name === 'string' && name !== '', `${where}: no name`),
    ...unless(['path', 'query', 'header', 'cookie'].includes(String(place)), `${where}: in ${String(place)}`),
    ...schemaProblems(where, objectOf(schema)),
  ];
}

function responseProblems(where: string, status: string, response: Json): readonly string[] {
  return [
    ...strangers(where, response, RESPONSE),
    ...unless(/^([1-5]\d\d|default)$/.test(status), `${where}: no status`),
    ...unless('$ref' in response || typeof response['description'] === 'string', `${where}: no description`),
    ...contentProblems(where, response),
  ];
}

function contentProblems(where: string, { content = {} }: Json): readonly string[] {
  return Object.entries(objectOf(content)).flatMap(([type, one]) => [
    ...unless(/^[a-z]+\/[\w.+-]+$/.test(type), `${where}: no type ${type}`),
    ...strangers(where, objectOf(one), MEDIA),
    ...schemaProblems(where, objectOf(objectOf(one)['schema'])),
  ]);
}

function strangers(where: string, value: Json, known: readonly string[]): readonly string[] {
  return Object.keys(value).flatMap((name) => unless(known.includes(name), `${where}: no member ${name}`));
}

function unless(holds: boolean, problem: string): readonly string[] {
  return holds ? [] : [problem];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [`no list: ${JSON.stringify(value)}`];
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
