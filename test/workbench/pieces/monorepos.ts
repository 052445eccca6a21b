import type { Group } from '../piece.ts';

/** A repository with two packages, shared code and modules at its root. */
const REPOSITORY = `
cd ..
mkdir -p app library shared node_modules/leftish
echo '{"private":true,"workspaces":["app","library"]}' > package.json
echo '{"name":"app","version":"1.0.0","scripts":{"start":"node index.js"}}' > app/package.json
echo 'console.log(require("leftish")(1), require("../shared/s.js"));' > app/index.js
echo '{"name":"leftish","version":"1.0.0"}' > node_modules/leftish/package.json
echo 'module.exports = (x) => "left" + x;' > node_modules/leftish/index.js
echo 'module.exports = "shared";' > shared/s.js
echo node_modules > .gitignore
printf 'all:\\n\\techo built > library/out.txt\\n' > Makefile
git init -q && git add . && git commit -qm all
`;
const GIT = ['git'];

export const MONOREPOS: Group = {
  name: 'monorepos',
  title: 'monorepos, and sessions in a subfolder',
  pieces: [
    {
      name: 'git-status-from-subfolder',
      needs: GIT,
      folder: 'repo/app',
      setUp: REPOSITORY,
      steps: ['echo "// x" >> index.js; git status --short', 'git diff --stat; git log --format=%s'],
    },
    {
      name: 'git-commit-from-subfolder',
      needs: GIT,
      folder: 'repo/app',
      setUp: REPOSITORY,
      steps: [
        'echo new > new.js && git add . && git commit -qm "from the subfolder"',
        'git log --format=%s; git status --short',
      ],
    },
    {
      name: 'hoisted-modules',
      needs: ['git', 'node'],
      folder: 'repo/app',
      setUp: REPOSITORY,
      steps: ['node index.js', 'npm start -s'],
    },
    {
      name: 'read-a-sibling',
      needs: GIT,
      folder: 'repo/app',
      setUp: REPOSITORY,
      steps: ['cat ../shared/s.js; ls ..', 'diff index.js ../shared/s.js | wc -l; cp ../shared/s.js copy.js'],
    },
    {
      name: 'write-a-sibling',
      needs: GIT,
      folder: 'repo/app',
      setUp: REPOSITORY,
      steps: [
        'echo "// more" >> ../shared/s.js && tail -1 ../shared/s.js',
        'tail -1 ../shared/s.js; mkdir ../made && ls ..',
      ],
    },
    {
      name: 'write-above',
      folder: 'project',
      steps: ['echo z > ../outside.txt && cat ../outside.txt', 'cat ../outside.txt'],
    },
    {
      name: 'make-of-the-root',
      needs: ['git', 'make'],
      folder: 'repo/app',
      setUp: REPOSITORY,
      steps: ['make -s -C ..', 'cat ../library/out.txt'],
    },
    {
      name: 'root-of-the-repository',
      needs: GIT,
      folder: 'repo/app',
      setUp: REPOSITORY,
      steps: [
        'cd "$(git rev-parse --show-toplevel)" && ls',
        'git rev-parse --show-prefix; git ls-files --full-name',
      ],
    },
    {
      name: 'workspace-from-the-root',
      needs: ['git', 'npm'],
      folder: 'repo',
      setUp: `mkdir app; cd app; ${REPOSITORY}`,
      steps: ['ls', 'git -C app status --short; cd app && git log --format=%s'],
    },
    {
      name: 'script-over-packages',
      folder: 'repo',
      setUp:
        'for p in a b c; do mkdir -p packages/$p; echo "{\\"name\\":\\"$p\\"}" > packages/$p/package.json; done',
      steps: [
        'for p in packages/*; do (cd $p && echo "built $(basename $p)" > out.txt); done; cat packages/*/out.txt',
        'find packages -name out.txt -delete; find packages -type f | sort',
      ],
    },
    {
      name: 'nested-repositories',
      needs: GIT,
      folder: 'outer',
      setUp:
        'git init -q; mkdir inner; echo inner > .gitignore; git add .; git commit -qm o; cd inner; git init -q; echo i > i; git add .; git commit -qm i',
      steps: [
        'cd inner && echo more >> i && git commit -qam more',
        'git status --short; git -C inner log --format=%s; git log --format=%s',
      ],
    },
    {
      name: 'python-path-to-sibling',
      needs: ['python3'],
      folder: 'repo/service',
      setUp: 'mkdir ../library; echo "V = 5" > ../library/lib.py',
      steps: ['PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=../library python3 -c "import lib; print(lib.V)"'],
    },
    {
      name: 'links-between-packages',
      folder: 'repo',
      setUp:
        'mkdir -p packages/a packages/b/node_modules; echo "module.exports = 7" > packages/a/index.js; ln -s ../../a packages/b/node_modules/a',
      needs: ['node'],
      steps: [
        `cd packages/b && node -p 'require("a")'`,
        'rm packages/b/node_modules/a; ln -s ../../a packages/b/node_modules/a; ls -l packages/b/node_modules | grep -c "../../a"',
      ],
    },
    {
      name: 'two-folders-one-commit',
      needs: GIT,
      folder: 'repo',
      setUp: 'git init -q; mkdir api web; echo 1 > api/v; echo 1 > web/v; git add .; git commit -qm one',
      steps: [
        'for d in api web; do echo 2 > $d/v; done; git commit -qam "both to 2"',
        'git log --format=%s -- api; git show --stat --format= | tail -1',
      ],
    },
    {
      name: 'absolute-path-of-a-sibling',
      needs: GIT,
      folder: 'repo/app',
      setUp: REPOSITORY,
      steps: ['cat "$(dirname "$PWD")/shared/s.js"', 'find .. -name "s.js" -not -path "*/.git/*"'],
    },
  ],
};
