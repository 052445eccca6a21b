import type { GitSetting } from './read-git-config.ts';

/**
 * Settings that change how git presents, compares and records, in any repository: no value of them
 * names a program, a file to obey, a server or a credential. By section; `*` stands for all names.
 *
 * Left out on purpose, although they look alike: `diff.external`, `merge.tool`, `pull.twohead` and
 * the drivers of `diff` and `merge` (programs); `init.templateDir` (hooks); `core.hooksPath`,
 * `core.fsmonitor`, `core.sshCommand`, editors, pagers (programs); `core.attributesFile` (filters);
 * `commit.gpgSign`, `log.showSignature` (the program of `gpg`); `gc.pruneExpire` (loss);
 * `http.*` (proxies, certificates); `protocol.*.allow` (transports that run programs).
 */
const BEHAVIOUR = lists({
  advice: '*',
  am: 'keepcr threeway',
  apply: 'ignorewhitespace whitespace',
  blame: 'blankboundary coloring date markignoredlines markunblamablelines showemail showroot',
  branch: 'autosetupmerge autosetuprebase sort',
  checkout: 'defaultremote guess thresholdforparallelism workers',
  clone: 'defaultremotename filtersubmodules rejectshallow',
  color: '*',
  column: '*',
  commit: 'cleanup status verbose',
  core:
    'abbrev autocrlf bigfilethreshold checkstat commentchar commentstring commitgraph ' +
    'compression deltabasecachelimit eol filemode hidedotfiles ignorecase logallrefupdates ' +
    'longpaths loosecompression maxtreedepth multipackindex packedgitlimit packedgitwindowsize ' +
    'precomposeunicode preloadindex quotepath safecrlf sparsecheckout sparsecheckoutcone splitindex symlinks ' +
    'trustctime untrackedcache usereplacerefs warnambiguousrefs whitespace',
  diff:
    'algorithm autorefreshindex colormoved colormovedws context dirstat ignoresubmodules indentheuristic ' +
    'interhunkcontext mnemonicprefix noprefix relative renamelimit renames statgraphwidth statnamewidth ' +
    'submodule suppressblankempty wordregex wserrorhighlight',
  feature: 'experimental manyfiles',
  fetch:
    'negotiationalgorithm output parallel prune prunetags recursesubmodules showforcedupdates writecommitgraph',
  format: 'attach coverletter numbered pretty signoff suffix thread',
  gc: 'auto autodetach autopacklimit logexpiry packrefs writecommitgraph',
  grep: 'column extendedregexp fallbacktonoindex fullname linenumber patterntype threads',
  i18n: 'commitencoding logoutputencoding',
  index: 'recordendofindexentries recordoffsettable skiphash sparse threads version',
  init: 'defaultbranch defaultobjectformat defaultrefformat',
  log: 'abbrevcommit date decorate diffmerges excludedecoration follow graphcolors initialdecorationset mailmap showroot',
  maintenance: 'auto strategy',
  merge:
    'autostash branchdesc conflictstyle defaulttoupstream directoryrenames ff log renamelimit renames ' +
    'renormalize stat suppressdest verbosity',
  pack: 'compression depth threads window windowmemory writebitmaphashcache',
  pretty: '*',
  protocol: 'version',
  pull: 'ff rebase',
  push: 'autosetupremote default followtags negotiate recursesubmodules useforceifincludes',
  rebase:
    'abbreviatecommands autosquash autostash backend forkpoint maxlabellength missingcommitscheck rebasemerges ' +
    'reschedulefailedexec stat updaterefs',
  receive: 'denycurrentbranch denydeletes denynonfastforwards',
  rerere: 'autoupdate enabled',
  revert: 'reference',
  showbranch: 'default',
  stash: 'showincludeuntracked showpatch showstat',
  status: '*',
  submodule: 'fetchjobs propagatebranches recurse',
  tag: 'sort',
  user: 'email name useconfigonly',
  author: 'email name',
  committer: 'email name',
  versionsort: '*',
  worktree: 'guessremote userelativepaths',
});

/** Sections of the list above that have subsections: `color.diff.old`. */
const DIVIDED = new Set(['color']);

/** The same for one repository only: its format, its remotes, branches and submodules. */
const OF_REPOSITORY = lists({
  core: 'bare repositoryformatversion',
  extensions:
    'compatobjectformat noop objectformat partialclone preciousobjects refstorage relativeworktrees worktreeconfig',
  lfs: 'repositoryformatversion',
});

/** Settings of one remote, branch or submodule that name a remote, or its address. */
const REMOTES = lists({ remote: 'url pushurl', branch: 'remote pushremote', submodule: 'url' });
/**
 * Others of them. `push` and `mirror` of a remote are left out: with them, a plain `git push` may
 * delete what lies there.
 */
const PARTS = lists({
  remote: 'fetch partialclonefilter promisor prune prunetags skipdefaultupdate skipfetchall tagopt',
  branch: 'description merge rebase',
  submodule: 'active branch fetchrecursesubmodules ignore path shallow',
});

/** True for a setting that boxes may receive from the person's own configuration. */
export function isForBoxes({ section, subsection, name, value }: GitSetting): boolean {
  if (section === 'alias') return subsection === undefined && value !== undefined && !value.startsWith('!');
  return isBehaviour(section, subsection, name);
}

/**
 * True for a setting of a repository that a command may change unasked: it leads to no program and
 * no further settings.
 *
 * @param isInside true for a value of `core.worktree` that names a folder within the working folder
 */
export function isHarmlessInRepository(
  { section, subsection, name, value = '' }: GitSetting,
  isInside: (worktree: string) => boolean,
): boolean {
  if (subsection !== undefined) return isHarmlessPart(section, subsection, name, value);
  switch (`${section}.${name}`) {
    case 'core.worktree':
      return isInside(value);
    case 'core.fsmonitor':
      return value === 'false';
    case 'remote.pushdefault':
      return isPlainRemote(value);
    default:
      return isBehaviour(section, subsection, name) || has(OF_REPOSITORY, section, name);
  }
}

/** Of one remote, branch or submodule. */
function isHarmlessPart(section: string, subsection: string, name: string, value: string): boolean {
  if (REMOTES.get(section)?.has(name) === true) return isPlainRemote(value);
  if (section === 'submodule' && name === 'update') return UPDATES.has(value);
  return PARTS.get(section)?.has(name) ?? isBehaviour(section, subsection, name);
}

/** Anything else may be a command. */
const UPDATES = new Set(['checkout', 'rebase', 'merge', 'none']);
const SCHEMES = new Set(['https', 'http', 'git', 'ssh', 'git+ssh', 'ssh+git', 'file']);
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/**
 * The name or address of a remote that git reaches itself or by ssh. `ext::` and similar forms name
 * a program, an unknown scheme runs `git-remote-SCHEME`, a leading dash makes an option of a host.
 */
function isPlainRemote(value: string): boolean {
  if (value === '' || value.includes('::') || /^-|:\/\/-|@-|\p{C}/u.test(value)) return false;
  const scheme = SCHEME.exec(value)?.[1];
  return scheme === undefined || SCHEMES.has(scheme.toLowerCase());
}

function isBehaviour(section: string, subsection: string | undefined, name: string): boolean {
  return (subsection === undefined || DIVIDED.has(section)) && has(BEHAVIOUR, section, name);
}

function has(list: ReadonlyMap<string, ReadonlySet<string>>, section: string, name: string): boolean {
  const known = list.get(section);
  return known !== undefined && (known.has('*') || known.has(name));
}

function lists(texts: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(texts).map(([section, text]) => [section, names(text)]));
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
