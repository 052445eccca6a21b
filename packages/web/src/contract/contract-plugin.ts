import { fileURLToPath } from 'node:url';
import type { DescMethod } from '@bufbuild/protobuf';
import { ROUTES } from '@bulkhead/protocol/routes';
import { type Plugin, runnerImport } from 'vite';
import { packContract } from './pack-contract.ts';

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
