import { ProbeGround } from '@bulkhead/processes/spawn/probe-ground';
import { tryWithoutBox } from '@bulkhead/processes/spawn/self-probe';
import { locateLauncher } from '@bulkhead/sandbox';

/** The targets for boxed processes' attacks. */
export interface ControlledGround extends AsyncDisposable {
  readonly ground: ProbeGround;
  /**
   * Fulfilled once both bundles have attacked it without a box; only then are the results of boxed
   * processes valid. Rejected with `sandbox_unavailable` if an attempt fails without a box, too.
   */
  readonly controlled: Promise<void>;
}

/**
 * Opens the targets for boxed processes' attacks, and lets both bundles attack them without a box
 * meanwhile.
 *
 * @param parts.folder created anew
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
  // The code that awaits it receives the error.
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
