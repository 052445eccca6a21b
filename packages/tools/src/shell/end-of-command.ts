import type { StartedCommand } from './started-command.ts';
import { signalProcess } from './stop-process.ts';

/** Delay between asking a command to end and killing it. */
const TERMINATE_MS = 2_000;

/** Waits for the end of a command that was asked to end. @param atOnce nothing it changed is kept */
export async function endOf(
  {
    started: { child, later },
    followed,
  }: { readonly started: StartedCommand; readonly followed: Promise<void> },
  atOnce: boolean,
): Promise<void> {
  if (later !== undefined && !atOnce) {
    later.stop();
    await followed;
    return;
  }
  signalProcess(child, 'SIGTERM');
  const timer = setTimeout(() => signalProcess(child, 'SIGKILL'), TERMINATE_MS);
  await followed;
  clearTimeout(timer);
}
