import { create } from '@bufbuild/protobuf';
import type { ToolService } from '@bulkhead/actions/tool-list/tool-service';
import type { ModelService } from '@bulkhead/processes/models/model-service';
import type { ModelPrice } from '@bulkhead/protocol';
import {
  CheckState,
  type ClientService,
  DoctorCheckSchema,
  KeyPlace,
  KnownModelSchema,
  ModelPriceInfoSchema,
  ModelProviderSchema,
  ModelRoleSchema,
  ToolInfoSchema,
} from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';
import type { DoctorService } from '../doctor/doctor-service.ts';

/** Services that describe the engine's configuration to users. */
export interface ConsoleServices {
  readonly doctor: Pick<DoctorService, 'run'>;
  readonly tools: Pick<ToolService, 'list'>;
  readonly models: Pick<ModelService, 'list'>;
}

const STATES = { ok: CheckState.OK, warn: CheckState.WARN, bad: CheckState.BAD } as const;
const KEYS = {
  'not-needed': KeyPlace.NOT_NEEDED,
  environment: KeyPlace.ENVIRONMENT,
  store: KeyPlace.STORE,
  missing: KeyPlace.MISSING,
} as const;

/** Calls about machine, tools and models. None changes anything. */
export function consoleCalls({ doctor, tools, models }: ConsoleServices) {
  return {
    runDoctor: async () => ({
      checks: (await doctor.run()).map((check) =>
        create(DoctorCheckSchema, { ...check, state: STATES[check.state] }),
      ),
    }),
    listTools: () => {
      const { policy, tools: rows } = tools.list();
      return {
        policy,
        tools: rows.map(({ rules, ...row }) =>
          create(ToolInfoSchema, { ...row, rules: rules.map((rule) => ({ ...rule })) }),
        ),
      };
    },
    listModels: async () => {
      const { roles, providers, models: known } = await models.list();
      return {
        roles: roles.map(({ problem, ...row }) => create(ModelRoleSchema, { ...row, ...wordsOf(problem) })),
        providers: providers.map(({ problem, key, ...row }) =>
          create(ModelProviderSchema, {
            ...row,
            key: KEYS[key],
            usable: problem === undefined,
            ...wordsOf(problem),
          }),
        ),
        models: known.map(({ origin, price, ...row }) =>
          create(KnownModelSchema, { ...row, source: origin, ...(price && { price: priceOf(price) }) }),
        ),
      };
    },
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function wordsOf(problem: { readonly message: string; readonly fix?: string | undefined } | undefined) {
  return { problem: problem?.message ?? '', fix: problem?.fix ?? '' };
}

function priceOf({ input, output, cachedInput }: ModelPrice) {
  return create(ModelPriceInfoSchema, { input, output, cachedInput });
}
