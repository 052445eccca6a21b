import { faultBuild, productBuild } from '../crash/fault-build.ts';

/** Before any file: two workers must not build at once, and no file needs to. */
export async function setup(): Promise<void> {
  await productBuild();
  await faultBuild();
}
