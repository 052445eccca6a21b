import { resolvePath } from '../../effects/resolve-path.ts';
import type { Text } from '../shell/text.ts';
import type { Walk } from '../shell/walk.ts';

/** The shell of a single program with another working folder (`env -C`, `git -C`, `tar -C`). */
export function entered(walk: Walk, folder: Text): Walk {
  const inside = walk.apart();
  inside.state.folder = resolvePath(folder.text, walk.state.folder);
  return inside;
}
