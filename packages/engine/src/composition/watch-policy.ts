import { rememberingFlowPolicy } from '@bulkhead/actions/flow/read-flow-policy';
import { PolicyKeeper } from '@bulkhead/actions/policy/policy-keeper';
import { readPolicy } from '@bulkhead/actions/policy/read-policy';
import { watchFolder } from '@bulkhead/home/folder/watch-folder';
import { type HomeLayout, systemTimers } from '@bulkhead/protocol';
import type { Logger } from 'pino';
import type { Settings } from '../ground/read-settings.ts';

/** The policy in force, kept in line with its files until it is disposed. What goes wrong is in the log and in `status`. */
export function watchPolicy(
  layout: HomeLayout,
  { config, policy }: Settings,
  logger: Pick<Logger, 'info' | 'error' | 'warn'>,
): Disposable & { readonly keeper: PolicyKeeper } {
  const readFlow = rememberingFlowPolicy();
  const keeper = new PolicyKeeper(
    policy,
    () => readPolicy(layout, config.policy, readFlow),
    (change) => {
      if (change.what === 'refused') {
        logger.error({ err: change.error }, 'the policy is NOT taken over: the old one stays in force');
      } else {
        const { name, digest: version } = change.policy;
        logger.info({ policy: name, version, before: change.before }, 'the policy has changed');
      }
    },
  );
  const watching = watchFolder(
    { folder: layout.policies, recursive: false, quietMs: 150, pollMs: 10_000 },
    systemTimers,
    () => keeper.reload(),
    (error) => logger.warn({ err: error }, 'changes of the policy are seen late: they can not be watched'),
  );
  return { keeper, [Symbol.dispose]: () => watching[Symbol.dispose]() };
}
