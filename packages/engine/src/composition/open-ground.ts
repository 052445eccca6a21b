import { locateLauncher } from '@bulkhead/sandbox';
import { ProbeGround } from '../processes/probe-ground.ts';
import { tryWithoutBox } from '../processes/self-probe.ts';

/**
 * Opens what boxed processes are to attack, and lets both bundles attack it with no box around them.
 *
 * @param parts.folder made anew
 * @throws BulkheadError `sandbox_unavailable` if an attempt fails without a box, too
 */
export async function openGround(parts: {
  readonly dist: string;
  readonly nodePath: string;
  readonly folder: string;
}): Promise<ProbeGround> {
  const { dist, nodePath, folder } = parts;
  await using opened = new AsyncDisposableStack();
  const ground = opened.use(await ProbeGround.open(folder, locateLauncher(dist)));
  const controls = ['agent', 'worker'].map((name) =>
    tryWithoutBox(name, { ground, nodePath, script: `${dist}/${name}.mjs` }),
  );
  await Promise.all(controls);
  await ground.control(controls.length);
  opened.move();
  return ground;
}
