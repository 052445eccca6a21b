import * as z from 'zod';
import { DEFAULT_PROFILE, PROFILE_NAME } from './profile-name.ts';
import { auditSettings } from './schema/audit-settings.ts';
import { compactionSettings } from './schema/compaction-settings.ts';
import { group, memory, seconds } from './schema/group.ts';
import { memorySettings } from './schema/memory-settings.ts';
import { type ModelRole, modelRoles } from './schema/model-roles.ts';
import { limits, queues, retry, spend, timeouts } from './schema/run-settings.ts';
import { shieldSettings } from './schema/shield-settings.ts';
import { webSettings } from './schema/web-settings.ts';

/**
 * The whole of `config.yaml`, and its only definition: defaults, errors, the published JSON Schema
 * and `bulkhead config` all come from here.
 */
export const configSchema = group({
  models: modelRoles.prefault({}).describe('Which model does what.'),
  limits: limits.prefault({}).describe('How far one message may go.'),
  timeouts: timeouts.prefault({}).describe('How long is waited for whom.'),
  retry: retry.prefault({}).describe('What happens when a model call fails.'),
  spend: spend
    .prefault({})
    .describe('Most that model calls may cost. A call that could break a cap is not made.'),
  queues: queues.prefault({}).describe('How messages sent during a run are taken.'),
  compaction: compactionSettings.prefault({}).describe('How long conversations are made shorter.'),
  tools: group({
    initial: z
      .enum(['core', 'none'])
      .default('core')
      .describe('core: the core tools from the start. none: even they are loaded on demand.'),
    web: webSettings.prefault({}).describe('What web_fetch and http_request may reach at all.'),
    memoryMiB: memory(3_072).describe('Most that one process of the file tools may take; more ends it.'),
  })
    .prefault({})
    .describe('What the model finds at hand, and what tools may reach.'),
  memory: memorySettings.prefault({}).describe('What outlives sessions.'),
  chronicle: group({
    snapshots: z.int().min(1).max(10_000).default(100).describe('Most actions that can be undone.'),
    days: z.number().positive().max(3_650).default(30).describe('After this long they can not be.'),
    maxBytes: z
      .int()
      .min(1_000_000)
      .default(5_000_000_000)
      .describe(
        'Most that what is kept may take of the disk; the oldest answers go first, never the last one.',
      ),
  })
    .prefault({})
    .describe('How long it is kept what was there before each action.'),
  agents: group({
    max: z.int().min(1).max(1_024).default(16).describe('Agent processes alive at once.'),
    idleSeconds: seconds(60).describe('After this long without work an agent ends.'),
    memoryMiB: memory(2_048).describe('Most that one agent may take; more ends it.'),
  })
    .prefault({})
    .describe('The processes that think.'),
  pools: group({
    workers: z
      .int()
      .min(1)
      .max(256)
      .default(8)
      .describe('Processes alive at once that read and write files. Each serves one session; others wait.'),
    commands: z.int().min(1).max(256).default(16).describe('Commands that run at once; others wait.'),
  })
    .prefault({})
    .describe('How much is done at once.'),
  box: group({
    maxBytes: z
      .int()
      .min(1_000_000)
      .default(2_147_483_648)
      .describe(
        'Most that the private home and temporary files of one folder may take. Above it the home is read-only.',
      ),
  })
    .prefault({})
    .describe('The private home of commands: bulkhead box show.'),
  server: group({
    port: z.int().min(0).max(65_535).optional().meta({
      description: 'TCP port on 127.0.0.1; 0 takes a free one. If the default is taken, a free one is used.',
      // Not a default of the schema: the engine insists only on a configured port.
      default: 7_411,
    }),
    workingFolder: z
      .string()
      .regex(/^\//, 'must be an absolute path')
      .optional()
      .describe(
        'Absolute: folder in which sessions of /v1 work. Default: one for each program, beside the home.',
      ),
  })
    .prefault({})
    .describe('Where clients find the engine.'),
  shield: shieldSettings
    .prefault({})
    .describe('How often models.shield is asked (beyond that a person decides), and which classifier.'),
  secrets: group({
    store: z
      .enum(['file', 'keychain'])
      .default('file')
      .describe('file: secrets.json. keychain: the keychain of the system (secret-tool or security).'),
  })
    .prefault({})
    .describe('Where keys are kept.'),
  audit: auditSettings.prefault({}).describe('Who keeps watch over the record of every action.'),
  profile: z
    .string()
    .regex(PROFILE_NAME, 'a profile is named by a to z, digits, - and _')
    .default(DEFAULT_PROFILE)
    .describe('A folder of profiles/: who the agent is, what it remembers, its skills.'),
  policy: z
    .string()
    .regex(/^[\w-]+$/, 'a policy is named by letters, digits, - and _')
    .default('default')
    .describe('A file of policies/, without .yaml.'),
});

export type Config = z.output<typeof configSchema>;
export type { ModelRole };
