import type { Group } from '../piece.ts';

const CODE = `
mkdir -p src
printf 'def greet(name):\\n    print("hello", name)\\n\\ngreet("world")\\n' > src/app.py
printf 'alpha\\nbeta\\ngamma\\ndelta\\n' > words.txt
cp -r src src.orig && sed -i 's/hello/good day/' src/app.py && (diff -ru src.orig src > change.patch || true); rm -r src && mv src.orig src
`;

export const EDITORS: Group = {
  name: 'editors',
  title: 'editors and patch tools',
  pieces: [
    {
      name: 'sed-in-place',
      setUp: CODE,
      steps: [
        "sed -i 's/beta/BETA/; 3d' words.txt",
        "sed -i.bak '1i # list' words.txt; cat words.txt words.txt.bak",
        "sed -n '2,3p' words.txt; sed -E 's/(.)(.)/\\2\\1/' words.txt",
      ],
    },
    {
      name: 'sed-many-files',
      setUp: 'mkdir -p a/b; for f in a/1 a/2 a/b/3; do echo "old name" > $f.txt; done',
      steps: ["grep -rl 'old name' a | xargs sed -i 's/old name/new name/g'", 'grep -rc "new name" a | sort'],
    },
    {
      name: 'perl-in-place',
      needs: ['perl'],
      setUp: CODE,
      steps: [
        `perl -pi -e 's/(\\w+)/\\u$1/' words.txt`,
        `perl -0777 -ne 'print length' words.txt; perl -lane 'print scalar reverse $F[0]' words.txt`,
      ],
    },
    {
      name: 'awk-rewrites',
      setUp: CODE,
      steps: [
        'awk \'{print NR": "$0}\' words.txt > t && mv t words.txt',
        'awk \'NR%2{print > "odd.txt"; next} {print > "even.txt"}\' words.txt; cat odd.txt even.txt',
      ],
    },
    {
      name: 'ed',
      needs: ['ed'],
      setUp: CODE,
      steps: [
        "printf '2s/beta/B/\\n$a\\nomega\\n.\\nw\\nq\\n' | ed -s words.txt",
        "cat words.txt; ed -s words.txt <<< $'g/a/s//A/g\\n,p\\nQ'",
      ],
    },
    {
      name: 'vim-as-editor',
      needs: ['vim'],
      setUp: CODE,
      steps: ["vim -es -u NONE -c '%s/a/4/g' -c 'wq' words.txt", 'cat words.txt; ls -A'],
    },
    {
      name: 'patch',
      needs: ['patch'],
      setUp: CODE,
      steps: [
        'patch -p0 --dry-run < change.patch && patch -p0 < change.patch',
        'python3 -B src/app.py 2>/dev/null || cat src/app.py',
        'patch -R -p0 < change.patch && grep hello src/app.py',
      ],
    },
    {
      name: 'patch-rejects',
      needs: ['patch'],
      setUp: `${CODE} sed -i 's/hello/bye/' src/app.py`,
      steps: ['patch -p0 < change.patch', 'ls src; rm src/*.rej src/*.orig'],
    },
    {
      name: 'diff-folders',
      setUp: `${CODE} cp -r src new; echo '# end' >> new/app.py; touch new/b.py`,
      steps: [
        'diff -ruN src new | grep "^[+-]" | grep -v "^+++\\|^---"',
        'diff -rq src new; cmp src/app.py new/app.py; sdiff -s src/app.py new/app.py | wc -l',
      ],
    },
    {
      name: 'git-apply',
      needs: ['git'],
      setUp: `git init -q; ${CODE} git add src words.txt; git commit -qm x; sed -i 's/beta/b/' words.txt; git diff > w.patch; git checkout -q words.txt`,
      steps: [
        'git apply --stat w.patch && git apply w.patch',
        'git diff --stat; git apply -R w.patch; git status --short',
      ],
    },
    {
      name: 'tee-truncate-dd',
      setUp: CODE,
      steps: [
        'echo added | tee -a words.txt > /dev/null; truncate -s 10 words.txt; cat words.txt',
        'printf XX | dd of=words.txt bs=1 seek=2 conv=notrunc status=none; cat words.txt; fallocate -l 4096 space; stat -c %s space',
      ],
    },
    {
      name: 'edit-through-link',
      setUp: `${CODE} ln -s words.txt link; ln words.txt hard`,
      steps: [
        'echo more >> link; cat hard',
        'sed -i --follow-symlinks s/alpha/first/ link; readlink link; head -1 words.txt hard',
      ],
    },
    {
      name: 'line-endings',
      setUp: "printf 'a\\r\\nb\\r\\n' > dos.txt",
      steps: ["sed -i 's/\\r$//' dos.txt; od -c dos.txt", "sed -i 's/$/\\r/' dos.txt; file dos.txt"],
    },
    {
      name: 'keeps-mode-and-time',
      setUp: `${CODE} chmod 750 words.txt; touch -d 2021-05-05 words.txt`,
      steps: [
        'sed -i s/x/x/ words.txt; stat -c %a words.txt',
        'cp -p words.txt c; touch -r c words.txt; touch -d "2022-02-02 10:00 UTC" c; stat -c %Y c',
      ],
    },
    {
      name: 'here-document-with-quotes',
      steps: [
        "cat > q.sh <<'EOF'\n#!/bin/sh\necho \"it's $1\"\nEOF\nsh q.sh fine",
        "python3 - <<'EOF' > gen.txt\nfor i in range(3):\n    print(f\"line {i}\\t'x'\")\nEOF\ncat gen.txt",
      ],
    },
    {
      name: 'editor-settings',
      steps: [
        'mkdir -p .vscode && echo \'{"editor.tabSize": 2}\' > .vscode/settings.json',
        'printf "root = true\\n[*]\\nindent_size = 2\\n" > .editorconfig; cat .vscode/settings.json',
      ],
    },
    {
      name: 'ci-workflow',
      steps: [
        'mkdir -p .github/workflows && printf "on: push\\njobs:\\n  t:\\n    runs-on: ubuntu-latest\\n    steps: [{ run: make }]\\n" > .github/workflows/ci.yml',
        'cat .github/workflows/ci.yml',
      ],
    },
  ],
};
