import type { Group } from '../piece.ts';

/** A repository with two commits and a branch. */
const REPOSITORY = `
git init -q
printf 'one\\ntwo\\nthree\\n' > list.txt
echo '# Readme' > README.md
git add . && git commit -qm 'first'
echo four >> list.txt && git commit -qam 'second'
git branch side HEAD~1
`;

export const GIT: Group = {
  name: 'git',
  title: 'all forms of git',
  pieces: [
    {
      name: 'init',
      setUp: 'echo hello > a.txt',
      steps: [
        'git init',
        'git add -A && git commit -m "initial"',
        'git log --format="%an %ae %s"; git status',
      ],
    },
    {
      name: 'commit-on-branch',
      setUp: REPOSITORY,
      steps: [
        'git switch -c feature && echo five >> list.txt',
        'git add list.txt && git commit -m "add five"',
        'git log --oneline --graph --all | cut -c3- | wc -l; git diff main --stat',
      ],
    },
    {
      name: 'merge',
      setUp: `${REPOSITORY} git switch -q side && echo x > new.txt && git add . && git commit -qm side && git switch -q main`,
      steps: ['git merge side -m "merge side"', 'git log --format=%s; ls'],
    },
    {
      name: 'merge-conflict',
      setUp: `${REPOSITORY} git switch -q side && echo 4 >> list.txt && git commit -qam side && git switch -q main`,
      steps: [
        'git merge side',
        'git diff --name-only --diff-filter=U; grep -c "<<<<" list.txt',
        'git checkout --ours list.txt && git add list.txt && git commit -m resolved && git status --short',
      ],
    },
    {
      name: 'rebase',
      setUp: `${REPOSITORY} git switch -q side && echo x > x.txt && git add . && git commit -qm x && echo y > y.txt && git add . && git commit -qm y`,
      steps: ['git rebase main', 'git log --format=%s'],
    },
    {
      name: 'rebase-interactive',
      setUp: `${REPOSITORY} for n in 1 2 3; do echo $n > $n.txt; git add .; git commit -qm "step $n"; done`,
      steps: [
        `GIT_SEQUENCE_EDITOR="sed -i -e '2s/pick/squash/'" GIT_EDITOR=true git rebase -i HEAD~3`,
        'git log --format=%s',
      ],
    },
    {
      name: 'stash',
      setUp: REPOSITORY,
      steps: [
        'echo work >> list.txt; echo new > new.txt; git stash -u',
        'git status --short; git stash list',
        'git stash pop && cat new.txt',
      ],
    },
    {
      name: 'worktree-inside',
      setUp: `${REPOSITORY} echo trees/ > .gitignore && git add . && git commit -qm ignore`,
      steps: [
        'git worktree add trees/side side',
        'cd trees/side && echo x >> list.txt && git commit -qam "in the tree"',
        'git worktree list | wc -l; git log side --format=%s; git worktree remove trees/side',
      ],
    },
    {
      name: 'worktree-beside',
      setUp: REPOSITORY,
      steps: ['git worktree add ../side-tree side', 'ls ../side-tree; git worktree list | wc -l'],
    },
    {
      name: 'submodule',
      setUp: `${REPOSITORY} mkdir ../library && cd ../library && git init -q && echo lib > lib.txt && git add . && git commit -qm lib`,
      steps: [
        'git -c protocol.file.allow=always submodule add ../library library',
        'git commit -m "add library" && git submodule status | wc -l',
        'cat library/lib.txt .gitmodules',
      ],
    },
    {
      name: 'clone-local',
      setUp: `mkdir source && cd source && ${REPOSITORY}`,
      steps: [
        'git clone source copy',
        'cd copy && echo more >> list.txt && git commit -qam more && git push origin HEAD:refs/heads/from-copy',
        'git -C source branch -a; git -C copy remote -v',
      ],
    },
    {
      name: 'clone-bare-beside',
      setUp: `${REPOSITORY} git clone -q --bare . ../hub.git && git remote add origin ../hub.git && git fetch -q && git branch -qu origin/main`,
      steps: [
        'git fetch origin',
        'git pull --ff-only',
        'echo 5 >> list.txt; git commit -qam five; git push origin main; git status -sb',
      ],
    },
    {
      name: 'fetch-inside',
      setUp: `${REPOSITORY} git clone -q --bare . hub.git && echo hub.git > .gitignore && git remote add origin ./hub.git`,
      steps: [
        'git fetch origin',
        'git push -u origin main',
        'git branch -vv | wc -l; git config branch.main.remote',
      ],
    },
    {
      name: 'gc',
      setUp: `${REPOSITORY} for n in $(seq 30); do echo $n > n.txt; git add .; git commit -qm $n; done`,
      steps: [
        'git gc',
        'git count-objects -v | grep -E "^(count|packs)"; git fsck && git rev-list --count HEAD',
      ],
    },
    {
      name: 'tags',
      setUp: REPOSITORY,
      steps: [
        'git tag v1 && git tag -a v2 -m "second release"',
        'git describe; git tag -n; git tag -d v1',
        'git show v2 --format=%s --stat',
      ],
    },
    {
      name: 'commit-hook-runs',
      setUp: `${REPOSITORY} printf '#!/bin/sh\\necho checked >> hook.log\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && echo hook.log > .gitignore`,
      steps: ['git add -A && git commit -m "with hook"', 'cat hook.log'],
    },
    {
      name: 'commit-hook-refuses',
      setUp: `${REPOSITORY} printf '#!/bin/sh\\ngrep -q TODO list.txt && { echo "no TODO please" >&2; exit 1; }\\nexit 0\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit`,
      steps: [
        'echo TODO >> list.txt; git commit -am todo',
        'sed -i /TODO/d list.txt; echo ok >> list.txt; git commit -qam ok; git log --format=%s',
      ],
    },
    {
      name: 'hook-installed',
      setUp: REPOSITORY,
      steps: [
        `printf '#!/bin/sh\\nexit 0\\n' > .git/hooks/pre-push && chmod +x .git/hooks/pre-push`,
        'ls .git/hooks | grep -v sample',
      ],
    },
    {
      name: 'config-identity',
      setUp: REPOSITORY,
      steps: [
        'git config user.name "Kim Other" && git config user.email kim@example.org',
        'echo k >> list.txt && git commit -qam kim && git log -1 --format="%an <%ae>"',
      ],
    },
    {
      name: 'config-harmless',
      setUp: REPOSITORY,
      steps: [
        'git config pull.rebase true && git config core.autocrlf false',
        'git remote add upstream https://example.org/x.git; git config -l --local | sort',
      ],
    },
    {
      name: 'global-aliases-read',
      setUp: `${REPOSITORY} git config --global alias.st "status --short" && git config --global core.quotepath false`,
      steps: ['echo x > "größe.txt"; git st', 'git config --get core.quotepath; git config user.email'],
    },
    {
      name: 'sign-with-ssh-key',
      needs: ['ssh-keygen'],
      setUp: `${REPOSITORY} mkdir -m 700 ~/.ssh && ssh-keygen -q -t ed25519 -N "" -f ~/.ssh/id_ed25519 && git config gpg.format ssh && git config user.signingkey ~/.ssh/id_ed25519.pub`,
      steps: [
        'echo s >> list.txt && git commit -S -qam signed && git cat-file commit HEAD | grep -c "SSH SIGNATURE"',
      ],
    },
    {
      name: 'bisect',
      setUp: `git init -q; for n in $(seq 8); do echo $n > n.txt; git add .; git commit -qm "c$n"; git tag "t$n"; done`,
      steps: [
        'git bisect start t8 t1 && git bisect run sh -c \'[ "$(cat n.txt)" -lt 5 ]\'',
        'git log -1 --format=%s refs/bisect/bad; git bisect reset',
      ],
    },
    {
      name: 'cherry-pick-and-revert',
      setUp: `${REPOSITORY} git switch -q side && echo p > pick.txt && git add . && git commit -qm pick && git switch -q main`,
      steps: ['git cherry-pick side', 'git revert --no-edit HEAD', 'git log --format=%s; ls'],
    },
    {
      name: 'reset-and-reflog',
      setUp: REPOSITORY,
      steps: [
        'git reset --hard HEAD~1',
        'git reflog | wc -l; cat list.txt',
        'git reset --hard HEAD@{1} && cat list.txt',
      ],
    },
    {
      name: 'clean',
      setUp: `${REPOSITORY} echo '*.log' > .gitignore; git add .; git commit -qm i; touch a.log b.tmp; mkdir junk; touch junk/x`,
      steps: ['git clean -fd', 'git clean -fdX', 'ls -A'],
    },
    {
      name: 'format-patch-and-am',
      setUp: REPOSITORY,
      steps: [
        'git format-patch -1 -o patches',
        'git switch -q side && git am patches/*.patch',
        'git log --format=%s; ls patches',
      ],
    },
    {
      name: 'archive',
      setUp: REPOSITORY,
      steps: [
        'git archive --prefix=release/ HEAD | tar t',
        'git bundle create ../all.bundle --all 2>&1 | tail -1; git archive -o out.tar HEAD && tar tf out.tar',
      ],
    },
    {
      name: 'mv-and-rm',
      setUp: `${REPOSITORY} mkdir docs && echo d > docs/d.md && git add . && git commit -qm docs`,
      steps: [
        'git mv docs manual && git mv README.md manual/',
        'git rm -q list.txt && git commit -qm move && git ls-files',
        'git log --follow --format=%s manual/d.md',
      ],
    },
    {
      name: 'blame-log-grep',
      setUp: REPOSITORY,
      steps: [
        'git blame -s list.txt | cut -d" " -f2-',
        'git log -S four --format=%s; git grep -n two; git shortlog -sn HEAD',
      ],
    },
    {
      name: 'add-patch',
      setUp: `${REPOSITORY} sed -i 's/one/ONE/; s/four/FOUR/' list.txt`,
      steps: ['printf "y\\n" | git add -p list.txt | tail -3', 'git diff --cached --stat'],
    },
    {
      name: 'sparse-checkout',
      setUp:
        'git init -q; mkdir a b c; for d in a b c; do echo $d > $d/f; done; git add .; git commit -qm all',
      steps: ['git sparse-checkout set a', 'ls; git sparse-checkout disable; ls'],
    },
  ],
};
