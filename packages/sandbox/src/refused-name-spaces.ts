const REFUSED_STEP = /^bulkhead-launcher: (.+): errno (\d+)$/;
/** EPERM, ENOSYS, EINVAL, ENOSPC, EUSERS: forbidden, not built in, or a limit of none (`user.max_user_namespaces`). */
const NO_CREATION = new Set([1, 38, 22, 28, 87]);
/** EPERM, EACCES: made, but without rights, as AppArmor does it; or `/proc` covered in part, as in containers. */
const NO_RIGHTS = new Set([1, 13]);
const STEPS_OF_RIGHTS = /^(open|write|make mounts private|name the box|mount empty folder|mount)( \/.*)?$/;

/**
 * Whether what a launcher said of a box with name spaces means that this system doesn't let us have them. Any other
 * failure is one of the box.
 * @param reason the launcher's line
 */
export function refusesNameSpaces(reason: string): boolean {
  const [, step = '', errno = ''] = REFUSED_STEP.exec(reason) ?? [];
  if (step === 'make name spaces') return NO_CREATION.has(Number(errno));
  return STEPS_OF_RIGHTS.test(step) && NO_RIGHTS.has(Number(errno));
}
