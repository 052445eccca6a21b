import { ProbeGround } from '@bulkhead/processes/spawn/probe-ground';
import { tryWithoutBox } from '@bulkhead/processes/spawn/self-probe';
import { locateLauncher } from '@bulkhead/sandbox';

/** What boxed processes are to attack. */
export interface ControlledGround extends AsyncDisposable {
  readonly ground: ProbeGround;
  /**
   * Fulfilled once both bundles have attacked it with no box around them. What boxed processes show before that counts only then.
   * Rejected with `sandbox_unavailable` if an attempt fails without a box, too.
   */
  readonly controlled: Promise<void>;
}

/**
 * Opens what boxed processes are to attack, and lets both bundles attack it with no box around them meanwhile.
 *
 * @param parts.folder made anew
 */
export async function openGround(parts: {
  readonly dist: string;
  readonly nodePath: string;
  readonly folder: string;
}): Promise<ControlledGround> {
  const { dist, nodePath, folder } = parts;
  const ground = await ProbeGround.open(folder, locateLauncher(dist));
  const controls = ['agent', 'worker'].map((name) =>
    tryWithoutBox(name, { ground, nodePath, script: `${dist}/${name}.mjs` }),
  );
  const controlled = Promise.all(controls).then(() => ground.control(controls.length));
  // Told to whoever awaits it.
  controlled.catch(() => {});
  return {
    ground,
    controlled,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(controls);
      await ground[Symbol.asyncDispose]();
    },
  };
}
