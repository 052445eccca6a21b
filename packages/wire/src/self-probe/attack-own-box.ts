import { attemptsFor } from './attempts.ts';
import type { ProbeAims } from './probe-aims.ts';

/** Result of each attempt, by its name: `DID`, or the code of the error that refused it. */
export type ProbeFindings = Readonly<Record<string, string>>;

/** The attempt succeeded. */
export const DID = 'did';

/** Makes the attempts in parallel. Without a box they succeed, and leave nothing behind. */
export async function attackOwnBox(aims: ProbeAims): Promise<ProbeFindings> {
  const findings = attemptsFor(aims).map(async ({ name, run }) => [
    name,
    await outcomeOf(async () => await run(aims)),
  ]);
  return Object.fromEntries(await Promise.all(findings));
}

async function outcomeOf(attempt: () => Promise<unknown>): Promise<string> {
  try {
    await attempt();
    return DID;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
