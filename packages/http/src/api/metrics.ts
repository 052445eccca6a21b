import type { StatusResponse } from '@bulkhead/protocol/client';

/** Counts for a monitor, in the Prometheus text format 0.0.4. They contain no user text. */
export function metricsText(status: StatusResponse, streams: number): string {
  const processes = Map.groupBy(status.processes, ({ kind }) => kind);
  return [
    ...gauge('bulkhead_sessions', 'Sessions in the store', [['', status.sessions]]),
    ...gauge('bulkhead_active_runs', 'Runs under way', [['', status.activeRuns]]),
    ...gauge(
      'bulkhead_processes',
      'Processes beside the engine',
      [...processes].map(([kind, found]) => [`{kind="${kind}"}`, found.length]),
    ),
    ...gauge('bulkhead_http_streams', 'Sockets on the event stream', [['', streams]]),
    '',
  ].join('\n');
}

function gauge(
  name: string,
  help: string,
  values: readonly (readonly [string, number])[],
): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...values.map(([labels, value]) => `${name}${labels} ${value}`),
  ];
}
