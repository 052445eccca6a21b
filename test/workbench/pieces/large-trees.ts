import type { Group } from '../piece.ts';

/** 2,000 files in 20 folders. */
const TREE = `for d in $(seq 20); do mkdir -p tree/d$d; for f in $(seq 100); do echo "$d $f" > tree/d$d/f$f.txt; done; done`;

export const LARGE_TREES: Group = {
  name: 'large-trees',
  title: 'thousands of files',
  pieces: [
    { name: 'make-thousands', steps: [`${TREE}`, 'find tree -type f | wc -l; cat tree/d7/f9.txt'] },
    {
      name: 'count-and-search',
      setUp: TREE,
      steps: [
        'find tree -name "f1*.txt" | wc -l',
        'grep -rl "^7 " tree | wc -l; grep -rh "^20 100$" tree; du -s --apparent-size tree | wc -l',
      ],
    },
    {
      name: 'change-all',
      setUp: TREE,
      steps: [
        "find tree -type f -exec sed -i 's/ /-/' {} +",
        'cat tree/d1/f1.txt; grep -rc -- - tree | grep -c ":1"',
      ],
    },
    { name: 'remove-all', setUp: TREE, steps: ['rm -r tree', 'ls -A | wc -l'] },
    {
      name: 'remove-build-output',
      setUp: `${TREE}; mv tree build; echo src > main.c`,
      steps: ['rm -rf build && mkdir build && echo new > build/out', 'ls -R'],
    },
    { name: 'rename-top', setUp: TREE, steps: ['mv tree forest', 'ls forest | wc -l; cat forest/d2/f3.txt'] },
    {
      name: 'rename-every-file',
      setUp: TREE,
      steps: [
        'for f in tree/d1/*.txt; do mv $f ${f%.txt}.md; done; ls tree/d1 | grep -c md',
        'perl -e \'for (glob "tree/d2/*.txt") { (my $n = $_) =~ s/f/g/; rename $_, $n or die $! }\'; ls tree/d2 | head -2',
      ],
    },
    {
      name: 'move-between-folders',
      setUp: TREE,
      steps: [
        'mkdir new && mv tree/d5 tree/d6 new/',
        'ls tree | wc -l; mv tree/d7/*.txt new/ && ls new | wc -l; rmdir tree/d7',
      ],
    },
    {
      name: 'copy-tree',
      setUp: TREE,
      steps: [
        'cp -r tree copy && diff -r tree copy && echo equal',
        'find copy -newer tree/d1/f1.txt -type f | wc -l > /dev/null; rm -rf copy/d1; ls copy | wc -l',
      ],
    },
    {
      name: 'modes-of-all',
      setUp: TREE,
      steps: [
        'chmod -R go-r tree',
        'find tree -type f -perm /044 | wc -l; find tree -type d -exec chmod 700 {} +; stat -c %a tree/d9',
      ],
    },
    {
      name: 'pack-and-unpack',
      setUp: TREE,
      steps: [
        'tar cf - tree | gzip -n > t.tgz && mkdir out && tar xzf t.tgz -C out',
        'diff -r tree out/tree && echo equal; rm -r out t.tgz',
      ],
    },
    {
      name: 'git-add-thousands',
      needs: ['git'],
      setUp: `git init -q; ${TREE}`,
      steps: [
        'git add . && git commit -qm "many files"',
        'git ls-files | wc -l; git rm -rq tree/d1 && git commit -qm fewer && git status --short | wc -l',
      ],
    },
    {
      name: 'switch-branches',
      needs: ['git'],
      setUp: `git init -q; ${TREE}; git add .; git commit -qm a; git switch -qc other; rm -r tree/d1 tree/d2; for f in tree/d3/*; do echo x >> $f; done; git add -A; git commit -qm b`,
      steps: [
        'git switch -q main && ls tree | wc -l',
        'git switch -q other && ls tree | wc -l; git diff --shortstat main',
      ],
    },
    {
      name: 'deep-folders',
      steps: [
        'p=deep; for i in $(seq 60); do p=$p/level$i; done; mkdir -p $p && echo bottom > $p/file',
        'find deep -type f | tr "/" "\\n" | wc -l; rm -r deep/level1/level2; find deep | wc -l',
      ],
    },
    {
      name: 'large-file',
      steps: [
        'seq 2000000 > big.txt && wc -c < big.txt',
        'sort -rn big.txt | head -1; split -n 4 big.txt p- && cat p-* | cmp - big.txt && rm p-* big.txt',
      ],
    },
    {
      name: 'checksums-of-all',
      setUp: TREE,
      steps: [
        'find tree -type f -print0 | sort -z | xargs -0 sha1sum > sums && wc -l < sums',
        'echo x >> tree/d4/f4.txt; sha1sum -c sums 2>/dev/null | grep -v OK',
      ],
    },
  ],
};
