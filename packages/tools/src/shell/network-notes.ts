import { inertLine, type Need, type NetworkUse, type ToolResult } from '@bulkhead/protocol';

export const NO_TRAFFIC: NetworkUse = { reached: [], needed: [], refused: [] };

/** Places that one note lists. */
const NAMED = 10;
/** Refusals that are shown, each on its own line. */
const SHOWN_REFUSALS = 3;

/** Notes on the hosts that a command reached or was refused, a clause each. @param failed true if it ended with an error */
export function networkNotes({ reached, needed, refused }: NetworkUse, failed: boolean): readonly string[] {
  const places = listed(needed);
  const lack = failed
    ? `needs network: ${places}. Name what it needs in \`hosts\`, and the user is asked`
    : `it asked for ${places}, which it may not reach, and went on without`;
  return [
    ...(needed.length === 0 ? [] : [lack]),
    ...refused.slice(0, SHOWN_REFUSALS).map((why) => `refused: ${inertLine(why)}`),
    ...(reached.length === 0 ? [] : [`reached: ${listed(reached)}`]),
  ];
}

/** The traffic as facts of a result, with other needs. */
export function trafficOf(
  { reached, needed }: NetworkUse,
  failed: boolean,
  others: readonly Need[] = [],
): Pick<ToolResult, 'needs' | 'reached'> {
  const hosts = failed ? needed.map((target) => ({ kind: 'hosts' as const, target })) : [];
  const needs = [...others, ...hosts];
  return {
    ...(needs.length > 0 ? { needs } : {}),
    ...(reached.length > 0 ? { reached } : {}),
  };
}

function listed(places: readonly string[]): string {
  const more = places.length > NAMED ? ` and ${places.length - NAMED} more` : '';
  return `${places.slice(0, NAMED).join(', ')}${more}`;
}
