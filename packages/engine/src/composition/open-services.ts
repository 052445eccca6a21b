import { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import { OWNER } from '@bulkhead/actions/approvals/approver';
import { ClientCallService } from '@bulkhead/actions/client-tools/client-call-service';
import { addAlwaysRule } from '@bulkhead/actions/policy/always-file';
import type { PolicyKeeper } from '@bulkhead/actions/policy/policy-keeper';
import type { Config } from '@bulkhead/home/config/config-schema';
import {
  type Clock,
  type HomeLayout,
  type IdSource,
  type MachineClock,
  systemTimers,
} from '@bulkhead/protocol';

/** Where actions wait for somebody outside: questions for a person, calls for the program that started their run. */
export function openServices({
  layout,
  timeouts,
  policies,
  clock,
  machine,
  ids,
}: {
  readonly layout: HomeLayout;
  readonly timeouts: Config['timeouts'];
  readonly policies: Pick<PolicyKeeper, 'reload'>;
  readonly clock: Clock;
  readonly machine: MachineClock;
  readonly ids: IdSource;
}) {
  const timers = systemTimers;
  const approvals = new ApprovalService({
    clock,
    machine,
    timers,
    ids,
    timeoutMs: timeouts.approvalSeconds * 1_000,
    // A connection that the clients' doors admit has proved to be the owner; any other approver answers nothing.
    mayAnswer: ({ channel }) => channel === OWNER.channel,
    remember: (rule) => {
      addAlwaysRule(layout, rule);
      policies.reload();
    },
  });
  const clientCalls = new ClientCallService({ clock, timers, timeoutMs: timeouts.clientToolSeconds * 1_000 });
  return { approvals, clientCalls };
}
