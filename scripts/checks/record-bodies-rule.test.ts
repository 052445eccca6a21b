import { describe, expect, it } from 'vitest';
import { findLooseBodies, looseBodyProblems } from './record-bodies-rule.ts';

const found = (text: string) => findLooseBodies('a.ts', text).map((one) => `${one.fault} ${one.text}`);

describe('the ban of loose bodies', () => {
  it.each([
    ["const { body } = record; use(body['outcome']);", ["indexes body['outcome']"]],
    ['use(body["outcome"]);', ['indexes body["outcome"]']],
    ['use(body[`outcome`]);', ['indexes body[`outcome`]']],
    ["body['answer'] = '';", ["indexes body['answer']"]],
    ["records.at(-1)?.body['to'];", ["indexes records.at(-1)?.body['to']"]],
    ['record.body[name];', ['indexes record.body[name]']],
    ['record.body?.[name];', ['indexes record.body?.[name]']],
    [
      "(record.body)['to']; record.body!['to'];",
      ["indexes (record.body)['to']", "indexes record.body!['to']"],
    ],
    ["record['body']['to'];", ["indexes record['body']['to']"]],
    ["this.#record.body['a']['b'];", ["indexes this.#record.body['a']"]],
  ])('finds the index in %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['interface R { readonly body: Record<string, unknown> }', ['types Record<string, unknown>']],
    ['class R { body: Record<string, any> = {}; }', ['types Record<string, any>']],
    ['const body: Partial<Record<string, unknown>> = {};', ['types Partial<Record<string, unknown>>']],
    [
      'function read(body: Readonly<Record<string, unknown>> | undefined) {}',
      ['types Readonly<Record<string, unknown>> | undefined'],
    ],
    ['const read = (body: { [name: string]: unknown }) => 1;', ['types { [name: string]: unknown }']],
    ['function inputBody(): Record<string, unknown> { return {}; }', ['types Record<string, unknown>']],
    ['type AnyBody = Record<string, unknown>;', ['types Record<string, unknown>']],
    [
      "(record.body as Record<string, unknown>)['to'];",
      ["indexes (record.body as Record<string, unknown>)['to']", 'types Record<string, unknown>'],
    ],
  ])('finds the type in %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    "if (record.type === 'settled') use(record.body.outcome);",
    "function answer(body: RecordBody<'message_end'>, text: StoredRecord['body']) {}",
    "const made = { type: 'rewound', body: { to } };",
    'const first = bytes.body[0];',
    "details['body']; fields['outcome'];",
    'interface Entry { readonly details: Record<string, unknown>; readonly body: Record<string, string> }',
    'function read(body: object, entry: FileEntry & { readonly body: JsonObject }) {}',
    "// body['outcome']\nconst text = \"record.body['outcome']\";",
  ])('leaves alone %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('says where, what and what to do instead', () => {
    const loose = findLooseBodies(
      'packages/log/src/x.ts',
      "\nuse(record.body['to']);\nlet body: Record<string, unknown>;",
    );
    expect(looseBodyProblems(loose)).toEqual([
      "packages/log/src/x.ts:2 reads or writes record.body['to']: narrow the LogRecord by its type, and name the field",
      'packages/log/src/x.ts:3 types a body as Record<string, unknown>: use LogRecord, RecordOf or RecordBody of its type',
    ]);
  });
});
