import * as z from 'zod';
import { configSchema } from './config-schema.ts';

/** The JSON Schema (draft 2020-12) of `config.yaml`, as it is published in `docs/config.schema.json`. */
export function configJsonSchema(): z.core.JSONSchema.BaseSchema {
  return {
    ...z.toJSONSchema(configSchema, { target: 'draft-2020-12', io: 'input' }),
    title: "Bulkhead's config.yaml",
  };
}

/** The text of the published file. */
export function configJsonSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}
