import type { Group } from '../piece.ts';

/** Waits until another command's file exists. */
const until = (name: string) => `for i in $(seq 60); do [ -e ${name} ] && break; sleep 0.1; done`;

export const CONCURRENT: Group = {
  name: 'concurrent',
  title: 'several sessions at work in one folder',
  pieces: [
    { name: 'different-files', steps: [['echo a > a; sleep 0.3', 'echo b > b; sleep 0.3'], 'cat a b'] },
    {
      name: 'different-folders',
      setUp: 'mkdir one two',
      steps: [
        [
          'cd one && for i in $(seq 20); do echo $i > $i; done',
          'cd two && for i in $(seq 20); do echo $i > $i; done',
        ],
        'ls one two | wc -l',
      ],
    },
    {
      name: 'one-waits-for-the-other',
      steps: [[`${until('ready')}; [ -e ready ] && echo seen`, 'sleep 0.5; echo x > ready; sleep 0.5']],
    },
    {
      name: 'both-wait',
      steps: [[`touch left; ${until('right')}; ls right`, `touch right; ${until('left')}; ls left`]],
    },
    {
      name: 'quick-beside-slow',
      steps: [['sleep 2; echo slow > slow', 'echo quick > quick; [ -e slow ] && echo late || echo early']],
    },
    {
      name: 'reader-beside-writer',
      setUp: 'echo steady > data',
      steps: [
        [
          'for i in 1 2 3; do cat data; sleep 0.2; done',
          'for i in 1 2 3; do echo $i > other.$i; sleep 0.2; done',
        ],
        'ls',
      ],
    },
    {
      name: 'append-to-one-log',
      needs: ['flock'],
      setUp: 'touch log',
      steps: [
        [
          'for i in 1 2 3; do flock log sh -c "echo a >> log"; sleep 0.1; done',
          'for i in 1 2 3; do flock log sh -c "echo b >> log"; sleep 0.1; done',
        ],
        'sort log | uniq -c',
      ],
    },
    {
      name: 'tests-beside-edits',
      setUp: 'echo 1 > value; mkdir notes',
      steps: [
        [
          'for i in $(seq 10); do [ "$(cat value)" = 1 ] || exit 1; sleep 0.1; done; echo passed',
          'for i in $(seq 10); do echo $i >> notes/n; sleep 0.1; done',
        ],
        'wc -l < notes/n',
      ],
    },
    {
      name: 'git-beside-edits',
      needs: ['git'],
      setUp: 'git init -q; echo a > a; git add .; git commit -qm a',
      steps: [
        ['git status --short > /dev/null; sleep 0.4; git log --format=%s', 'echo b > b; sleep 0.4'],
        'git add . && git commit -qm b && git log --format=%s',
      ],
    },
    {
      name: 'two-builds',
      needs: ['cc', 'make'],
      setUp: `for d in x y; do mkdir $d; echo 'int main(void){return 0;}' > $d/m.c; printf 'm: m.c\\n\\tcc -o m m.c\\n' > $d/Makefile; done`,
      steps: [['make -s -C x', 'make -s -C y'], 'x/m && y/m && echo both'],
    },
    {
      name: 'one-database',
      needs: ['sqlite3'],
      setUp: 'sqlite3 d.db "create table t(x)"',
      steps: [
        [
          'for i in 1 2 3; do sqlite3 -cmd ".timeout 5000" d.db "insert into t values (1)"; sleep 0.1; done',
          'for i in 1 2 3; do sqlite3 -cmd ".timeout 5000" d.db "insert into t values (2)"; sleep 0.1; done',
        ],
        'sqlite3 d.db "select x, count(*) from t group by x"',
      ],
    },
    {
      name: 'three-at-once',
      steps: [['sleep 0.2; echo 1 > 1', 'sleep 0.2; echo 2 > 2', 'sleep 0.2; echo 3 > 3'], 'cat 1 2 3'],
    },
    {
      name: 'server-and-client',
      needs: ['python3', 'curl'],
      setUp: 'echo page > index.html',
      steps: [
        [
          'timeout 6 python3 -m http.server {{port}} --bind 127.0.0.1 > /dev/null 2>&1',
          'curl -s --retry 5 --retry-connrefused --retry-delay 1 http://127.0.0.1:{{port}}/',
        ],
      ],
    },
  ],
};
