import { fileURLToPath } from 'node:url';
import type { DescEnum, DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { ROUTES } from '@bulkhead/protocol/routes';
import { type Plugin, runnerImport } from 'vite';
import { MAY_BE_LEFT_OUT, type PackedContract, TEXT_TYPE } from './packed-contract.ts';

const CONTRACT = '@bulkhead/protocol/client';
const PACKED = '\0packed-contract';

/** Run-time exports of `@bulkhead/protocol/client`. */
interface ContractModule {
  readonly ClientService: { readonly method: Readonly<Record<string, DescMethod>> };
  readonly [name: string]: unknown;
}

/**
 * Replaces it with the packed form of the contract: the calls with a route, their messages, and
 * enums. The descriptors and their library would be a third of all code that a browser loads.
 */
export function packedContract(): Plugin {
  return {
    name: 'packed-contract',
    enforce: 'pre',
    resolveId: (id) => (id === CONTRACT ? PACKED : undefined),
    async load(id) {
      if (id !== PACKED) return undefined;
      const source = fileURLToPath(import.meta.resolve(CONTRACT));
      const { module } = await runnerImport<ContractModule>(source, { configFile: false });
      const packed = packContract(module.ClientService.method, Object.keys(ROUTES));
      const reader = fileURLToPath(new URL('./unpack-contract.ts', import.meta.url));
      return [
        `import { unpackContract } from ${JSON.stringify(reader)};`,
        `export const ClientService = { method: /*@__PURE__*/ unpackContract(${JSON.stringify(packed)}) };`,
        ...enumsOf(module).map(([name, values]) => `export const ${name} = ${JSON.stringify(values)};`),
      ].join('\n');
    },
  };
}

/** Enums are the exports that are plain objects of numbers by name, and the reverse. */
function enumsOf(module: ContractModule): readonly (readonly [string, unknown])[] {
  return Object.entries(module).filter(
    ([, value]) =>
      typeof value === 'object' &&
      value !== null &&
      Object.values(value).every((one) => typeof one === 'string' || typeof one === 'number'),
  );
}

/**
 * Packs the named calls, for a browser that makes no others.
 *
 * @throws Error if the contract has parts that the web UI can't read: an unknown call, numbers of
 * an enum with gaps, or another name in JSON
 */
export function packContract(
  methods: Readonly<Record<string, DescMethod>>,
  names: readonly string[],
): PackedContract {
  const messages: DescMessage[] = [];
  const enums: DescEnum[] = [];
  const calls = names.map((name): [string, number, number] => {
    const method = methods[name];
    if (method === undefined) throw new Error(`The contract has no call ${name}.`);
    return [name, placeOf(messages, method.input), placeOf(messages, method.output)];
  });
  // Dependencies of messages are added while packing.
  const packed: string[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const fields = messages[at]?.fields ?? [];
    packed.push(fields.map((field) => packField(field, messages, enums)).join(' '));
  }
  return { messages: packed, enums: enums.map(packEnum), calls };
}

function placeOf<Kind>(list: Kind[], one: Kind): number {
  const place = list.indexOf(one);
  return place === -1 ? list.push(one) - 1 : place;
}

function packField(field: DescField, messages: DescMessage[], enums: DescEnum[]): string {
  const { localName, oneof } = field;
  if (field.jsonName !== localName) throw new Error(`${field} has another name in JSON.`);
  const mark =
    field.fieldKind === 'list' ? '*' : field.fieldKind === 'map' ? '%' : isOptional(field) ? '?' : '';
  return `${oneof === undefined ? '' : `${oneof.localName}/`}${localName}${mark}${packType(field, messages, enums)}`;
}

/** For values only: a message is always optional, and so is one of several. */
function isOptional({ presence, message, oneof }: DescField): boolean {
  return Number(presence) === MAY_BE_LEFT_OUT && message === undefined && oneof === undefined;
}

function packType(field: DescField, messages: DescMessage[], enums: DescEnum[]): string {
  if (field.message !== undefined) return `@${placeOf(messages, field.message)}`;
  if (field.enum !== undefined) return `=${placeOf(enums, field.enum)}`;
  return Number(field.scalar) === TEXT_TYPE ? '' : `#${field.scalar}`;
}

function packEnum({ typeName, values }: DescEnum): string {
  if (values.some(({ number }, place) => number !== place))
    throw new Error(`${typeName} has gaps in its numbers.`);
  return values.map(({ name }) => name).join(' ');
}
