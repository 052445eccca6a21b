import type { PolicyKeeper } from '@bulkhead/actions/policy/policy-keeper';
import { ToolService } from '@bulkhead/actions/tool-list/tool-service';
import type { Context } from '@bulkhead/log/context';
import { initialGroupsOf } from '@bulkhead/log/session/tool-loading';
import { ModelService } from '@bulkhead/processes/models/model-service';
import type { ModelSource } from '@bulkhead/processes/models/model-source';
import { everyGroup, everyTool } from '@bulkhead/tools';
import { DoctorService, ownDoctor } from '../doctor/doctor-service.ts';
import type { ProvenSandbox } from '../ground/open-sandbox.ts';
import type { Settings } from '../ground/read-settings.ts';
import type { ConsoleServices } from '../service/console-calls.ts';
import type { EngineOptions } from './engine-options.ts';
import { toolsOff } from './engine-tools.ts';

/** Describes the configuration of this engine to users. */
export function openConsole(
  parts: {
    readonly options: EngineOptions;
    readonly settings: Settings;
    readonly policies: Pick<PolicyKeeper, 'current'>;
    readonly proven: ProvenSandbox;
    readonly context: Pick<Context, 'log'>;
    readonly models: ModelSource;
  },
  stack: AsyncDisposableStack,
): ConsoleServices {
  const { options, settings, policies, proven, models } = parts;
  const { config, secret } = settings;
  const { environment } = options;
  const run = ownDoctor({ ...options, environment });
  return {
    doctor: stack.use(new DoctorService({ sandbox: proven.boxes, run })),
    tools: new ToolService({
      tools: everyTool,
      groups: everyGroup,
      off: toolsOff(config),
      initialGroups: initialGroupsOf(config.tools.initial),
      policy: () => policies.current,
      commandsAsk: whyCommandsAsk(proven),
    }),
    models: new ModelService({
      // A new chat model takes effect immediately.
      get models() {
        return models.models;
      },
      keys: { environment, secret },
      request: fetch,
      chat: () => models.chatRole(),
      used: () => {
        const calls = parts.context.log.store.modelCalls({}).filter(({ purpose }) => purpose === 'chat');
        return [...new Set(calls.map(({ model }) => model))];
      },
    }),
  };
}

/** For folders on the home's disk. */
function whyCommandsAsk({ commandBox: { asks, view } }: ProvenSandbox): string | undefined {
  return asks?.reason ?? (view?.kind === 'live' ? view.why : undefined);
}
