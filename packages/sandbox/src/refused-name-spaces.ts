const REFUSED_STEP = /^bulkhead-launcher: (.+): errno (\d+)$/;
/**
 * EPERM, ENOSYS, EINVAL, ENOSPC, EUSERS: forbidden, not built in, or a limit of none
 * (`user.max_user_namespaces`).
 */
const NO_CREATION = new Set([1, 38, 22, 28, 87]);
/**
 * EPERM, EACCES: created without rights, as with AppArmor; or `/proc` partly covered, as in
 * containers.
 */
const NO_RIGHTS = new Set([1, 13]);
const STEPS_OF_RIGHTS = /^(open|write|make mounts private|name the box|mount empty folder|mount)( \/.*)?$/;

/**
 * Whether a launcher's message about a box with name spaces means that this system refuses them.
 * Any other failure is the box's.
 * @param reason the launcher's line
 */
export function refusesNameSpaces(reason: string): boolean {
  const [, step = '', errno = ''] = REFUSED_STEP.exec(reason) ?? [];
  if (step === 'make name spaces') return NO_CREATION.has(Number(errno));
  return STEPS_OF_RIGHTS.test(step) && NO_RIGHTS.has(Number(errno));
}
