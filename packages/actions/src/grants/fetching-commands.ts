/** Options of commands that fetch, by program and the words that follow it at once. */
type Commands = Readonly<Record<string, Readonly<Record<string, string>>>>;

const NPM =
  '-D -E -O -P -S -f -w --save --save-dev --save-exact --save-optional --save-peer --save-prod --no-save ' +
  '--force --legacy-peer-deps --strict-peer-deps --prefer-offline --prefer-dedupe --package-lock-only ' +
  '--no-package-lock --no-audit --no-fund --no-optional --no-progress --ignore-scripts --production --silent ' +
  '--verbose --quiet --json --workspace --workspace= --workspaces --omit --omit= --include --include= ' +
  '--audit= --fund= --progress= --depth --depth= --dry-run';
const PNPM =
  '-D -E -O -P -r -w --save-dev --save-exact --save-optional --save-peer --save-prod --dev --prod --recursive ' +
  '--workspace-root --frozen-lockfile --no-frozen-lockfile --lockfile-only --prefer-offline --ignore-scripts ' +
  '--no-optional --force --silent --json --latest';
const YARN =
  '-D -E -O -P --dev --exact --optional --peer --production --immutable --frozen-lockfile --pure-lockfile ' +
  '--ignore-scripts --prefer-offline --non-interactive --silent --latest --json';
const BUN =
  '-d -D -E --dev --development --exact --optional --production --frozen-lockfile --no-save --ignore-scripts ' +
  '--silent --verbose --latest';
const PIP =
  '-r -e -c -U -q -v -d --requirement --requirement= --editable --editable= --constraint --constraint= ' +
  '--upgrade --user --quiet --verbose --pre --no-deps --no-cache-dir --no-input --progress-bar ' +
  '--progress-bar= --disable-pip-version-check --break-system-packages --force-reinstall --ignore-installed ' +
  '--prefer-binary --only-binary --only-binary= --dest --dest= --dry-run';
const UV =
  '-r -e -c -U -q -v --requirement --requirements --editable --constraint --constraints --upgrade --dev ' +
  '--no-dev --group --group= --extra --extra= --all-extras --all-groups --frozen --locked --no-sync --system ' +
  '--quiet --verbose --no-cache --prerelease --prerelease= --no-install-project --no-deps';
const CARGO =
  '-r -q -v -p -F --release --quiet --verbose --package --package= --features --features= --all-features ' +
  '--no-default-features --workspace --all-targets --lib --bins --bin --bin= --tests --test --test= ' +
  '--examples --example --example= --benches --locked --frozen --dev --build --optional --dry-run --precise ' +
  '--precise= --message-format --message-format=';
const GO = '-u -t -v -x -d -n -a -o -race -trimpath -tags -tags= -mod=mod -mod=readonly -mod=vendor';
const GIT_FETCH =
  '-q -v -p -t -n -f -j -4 -6 --quiet --verbose --prune --tags --no-tags --all --force --progress --no-progress ' +
  '--depth --depth= --deepen --deepen= --unshallow --dry-run --jobs --jobs= --recurse-submodules ' +
  '--no-recurse-submodules';
const GIT: Readonly<Record<string, string>> = {
  fetch: GIT_FETCH,
  pull: `${GIT_FETCH} -r --rebase --no-rebase --ff --ff-only --no-ff --autostash --no-edit`,
  clone:
    '-q -v -b -n -j -4 -6 --quiet --verbose --branch --branch= --depth --depth= --single-branch ' +
    '--no-single-branch --no-tags --no-checkout --bare --mirror --recursive --recurse-submodules ' +
    '--shallow-submodules --filter --filter= --sparse --progress --jobs --jobs=',
  'ls-remote': '-q -h -t --quiet --heads --branches --tags --refs --symref --exit-code --sort --sort=',
  'submodule update':
    '-q -f -N -j --quiet --force --init --recursive --remote --no-fetch --depth --depth= --jobs --jobs= ' +
    '--checkout --rebase --merge --progress',
};
const GEM = '-v -N -q --version --version= --no-document --user-install --conservative --prerelease --quiet';
const BUNDLE = '-j --jobs --jobs= --quiet --retry --retry= --local --all --conservative --patch --minor';
const COMPOSER =
  '-n -q -v -o -W --dev --no-dev --no-interaction --no-scripts --no-plugins --no-progress --prefer-dist ' +
  '--optimize-autoloader --with-all-dependencies --quiet';

/**
 * Commands that fetch, with every option that a grant for all their uses admits. An entry that ends with
 * `=` admits any value after it. Missing is work that sends (`push`, `publish`) or runs a program of the
 * caller's choice (`exec`, `run`, `python -m`, which looks in the folder first), and every option that
 * names a program, settings, a folder to work in or another server.
 */
export const FETCHING: Commands = {
  npm: each(NPM, 'install', 'i', 'ci', 'add', 'update', 'view', 'outdated'),
  pnpm: each(PNPM, 'install', 'i', 'add', 'fetch', 'update', 'view'),
  yarn: each(YARN, 'install', 'add', 'upgrade'),
  bun: each(BUN, 'install', 'add', 'update'),
  pip: each(PIP, 'install', 'download'),
  pip3: each(PIP, 'install', 'download'),
  uv: each(UV, 'sync', 'lock', 'add', 'pip install', 'pip sync'),
  cargo: each(CARGO, 'build', 'check', 'fetch', 'add', 'update', 'vendor', 'generate-lockfile'),
  go: each(GO, 'get', 'build', 'install', 'mod download', 'mod tidy'),
  git: GIT,
  gem: each(GEM, 'install', 'fetch'),
  bundle: each(BUNDLE, 'install', 'update'),
  composer: each(COMPOSER, 'install', 'update', 'require'),
};

function each(options: string, ...verbs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(verbs.map((verb) => [verb, options]));
}
