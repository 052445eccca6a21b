import { ARCHIVE_GRAMMARS } from './archives.ts';
import { BUILTIN_GRAMMARS } from './builtins.ts';
import { EDITOR_GRAMMARS } from './editors.ts';
import { FILE_GRAMMARS } from './files.ts';
import { FIND_GRAMMARS } from './find.ts';
import type { Grammar } from './grammar.ts';
import { MACHINE_GRAMMARS } from './machines.ts';
import { NETWORK_GRAMMARS } from './network.ts';
import { REMOTE_GRAMMARS } from './remote.ts';
import { SCHEDULER_GRAMMARS } from './schedulers.ts';
import { SHELL_GRAMMARS } from './shells.ts';
import { TAR_GRAMMARS } from './tar.ts';
import { TERMINAL_GRAMMARS } from './terminals.ts';
import { TRANSFORM_GRAMMARS } from './transforms.ts';
import { VERSION_CONTROL_GRAMMARS } from './version-control.ts';
import { WRAPPER_GRAMMARS } from './wrappers.ts';

/** Grammars by the role of a program. */
export const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  [
    FILE_GRAMMARS,
    TRANSFORM_GRAMMARS,
    BUILTIN_GRAMMARS,
    SHELL_GRAMMARS,
    WRAPPER_GRAMMARS,
    FIND_GRAMMARS,
    EDITOR_GRAMMARS,
    NETWORK_GRAMMARS,
    REMOTE_GRAMMARS,
    SCHEDULER_GRAMMARS,
    TERMINAL_GRAMMARS,
    VERSION_CONTROL_GRAMMARS,
    ARCHIVE_GRAMMARS,
    TAR_GRAMMARS,
    MACHINE_GRAMMARS,
  ].flatMap((grammars) => Object.entries(grammars)),
);
