import type { CommandBox } from '@bulkhead/processes/boxes/command-box';
import type { BoxDescription } from '@bulkhead/processes/boxes/describe-boxes';
import { describeView } from '@bulkhead/processes/transactions/command-view';
import { BulkheadError } from '@bulkhead/protocol';
import type { Finding } from './check.ts';

/**
 * Describes the boxes of commands on this machine.
 *
 * @throws BulkheadError `sandbox_unavailable` if commands have no box at all, with a remedy
 */
export function commandReport(
  boxes: readonly BoxDescription[],
  { asks, view }: Pick<CommandBox, 'asks' | 'view'>,
): Finding {
  const walls = boxes.map(({ kind, detail }) => `${kind}: ${detail}`).join('; ');
  if (asks === undefined) {
    if (view === undefined) return { detail: walls };
    const detail = `${walls}; ${describeView(view)}`;
    return view.kind === 'live' ? { detail, better: OVERLAY } : { detail };
  }
  const report = `${walls}; every command asks: ${asks.reason}`;
  if (asks.rule === 'commands/live') return { detail: `${report} (bwrap makes its box)`, better: REMEDY };
  throw new BulkheadError('sandbox_unavailable', report, { fix: REMEDY });
}

/** The documentation of systems that forbid name spaces by default. */
const REMEDY =
  'Install bubblewrap (bwrap), or let this user make user name spaces: on Ubuntu `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`, elsewhere `sudo sysctl user.max_user_namespaces=15000`; in a container the host must allow it. Then `bulkhead restart`';

const OVERLAY =
  'Put the home on a disk of this machine (ext4, xfs, btrfs) with room on it. Then `bulkhead restart`';
