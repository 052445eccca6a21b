import type { Group } from './piece.ts';
import { ARCHIVES } from './pieces/archives.ts';
import { BUILD } from './pieces/build.ts';
import { CONCURRENT } from './pieces/concurrent.ts';
import { DATABASES } from './pieces/databases.ts';
import { EDITORS } from './pieces/editors.ts';
import { GIT } from './pieces/git.ts';
import { HOME } from './pieces/home.ts';
import { JOBS } from './pieces/jobs.ts';
import { LARGE_TREES } from './pieces/large-trees.ts';
import { MONOREPOS } from './pieces/monorepos.ts';
import { NAMES } from './pieces/names.ts';
import { NODE } from './pieces/node.ts';
import { PYTHON_GROUP } from './pieces/python.ts';
import { SERVERS } from './pieces/servers.ts';
import { TEXT } from './pieces/text.ts';

/** All pieces, in the order in which they are played. */
export const GROUPS: readonly Group[] = [
  GIT,
  NODE,
  PYTHON_GROUP,
  BUILD,
  DATABASES,
  SERVERS,
  ARCHIVES,
  EDITORS,
  LARGE_TREES,
  NAMES,
  JOBS,
  CONCURRENT,
  MONOREPOS,
  HOME,
  TEXT,
];
