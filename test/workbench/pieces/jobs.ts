import type { Group } from '../piece.ts';

export const JOBS: Group = {
  name: 'jobs',
  title: 'long jobs, pipelines, signals and exit codes',
  pieces: [
    {
      name: 'exit-codes',
      steps: [
        'exit 7',
        'false; echo "after $?"; (exit 3); echo $?; true',
        'no-such-command-here; echo $?',
        'ls /no/such/file',
      ],
    },
    {
      name: 'pipe-status',
      steps: [
        'false | true; echo "$? ${PIPESTATUS[*]}"',
        'set -o pipefail; false | true; echo $?; set -e; false; echo never',
      ],
    },
    {
      name: 'broken-pipe',
      steps: [
        'yes | head -3',
        'set -o pipefail; yes | head -1 > /dev/null; echo $?',
        'seq 100000 | grep -m1 777',
      ],
    },
    {
      name: 'killed-by-signal',
      steps: ['kill -TERM $$', 'bash -c "kill -9 \\$\\$"; echo $?', 'sh -c "kill -SEGV \\$\\$"; echo $?'],
    },
    {
      name: 'traps',
      steps: [
        'trap "echo bye" EXIT; trap "echo got TERM; exit 5" TERM; kill -TERM $$; sleep 1',
        'trap "rm -f t.lock" EXIT; touch t.lock; ls; exit 2',
        'ls',
      ],
    },
    {
      name: 'jobs-and-wait',
      steps: [
        'for i in 1 2 3; do (sleep 0.$i; echo "job $i" >> done.txt; exit $i) & p[$i]=$!; done; for i in 1 2 3; do wait ${p[$i]}; echo $?; done',
        'sort done.txt; (sleep 0.2; exit 4) & wait -n; echo $?',
      ],
    },
    {
      name: 'time-limit',
      needs: ['timeout'],
      steps: ['timeout 0.3 sleep 5; echo $?', 'timeout -s KILL 0.3 sleep 5; echo $?; timeout 5 echo quick'],
    },
    {
      name: 'parallel-xargs',
      steps: [
        'seq 8 | xargs -P4 -I{} sh -c "echo {} > n{}.txt"; cat n*.txt | sort | paste -sd,',
        'printf "1\\n0\\n" | xargs -n1 sh -c "exit \\$0"; echo $?',
      ],
    },
    {
      name: 'long-job',
      steps: ['for i in 1 2 3 4; do echo "step $i"; sleep 0.5; done; echo finished > result', 'cat result'],
    },
    {
      name: 'left-running',
      steps: [
        '(for i in 1 2 3 4 5 6 7 8; do echo $i >> ticks; sleep 0.2; done) > /dev/null 2>&1 &',
        'sleep 2.5; wc -l < ticks',
      ],
    },
    {
      name: 'left-running-nohup',
      needs: ['nohup'],
      steps: [
        'nohup sh -c "sleep 1; echo late > late.txt" > /dev/null 2>&1 & echo begun',
        'for i in $(seq 30); do [ -e late.txt ] && break; sleep 0.1; done; cat late.txt',
      ],
    },
    {
      name: 'found-by-ps',
      needs: ['ps', 'pgrep'],
      steps: [
        'sleep 7.{{port}} > /dev/null 2>&1 & echo started',
        'pgrep -f "sleep 7.{{port}}" | wc -l; pkill -f "^sleep 7.{{port}}"; echo $?',
      ],
    },
    {
      name: 'own-processes',
      needs: ['ps'],
      steps: [
        'sleep 3 & ps -o comm= -p $! ; kill %1; wait $! 2>/dev/null; echo $?',
        '[ -d /proc/self/fd ] && ls /proc/self/fd | wc -l > /dev/null && echo proc; ps -o stat= -p $$ | cut -c1',
      ],
    },
    {
      name: 'file-lock',
      needs: ['flock'],
      steps: [
        '(flock 9; echo held; sleep 0.5; echo 1 >> l) 9> lock & sleep 0.1; (flock 9; echo 2 >> l) 9> lock; wait; cat l',
        'flock -n lock echo free; exec 8> lock; flock 8; flock -n lock echo no || echo taken',
      ],
    },
    {
      name: 'limits',
      steps: [
        'ulimit -n 64; ulimit -n; (ulimit -f 1; dd if=/dev/zero of=big bs=4096 count=4 status=none; echo $?) 2>/dev/null; rm -f big',
        'ulimit -t 1; sh -c "while :; do :; done"; echo $?',
      ],
    },
    {
      name: 'no-input',
      steps: [
        'cat; echo "read $?"; read x; echo $?',
        'python3 -c "print(repr(input()))" 2>&1 | tail -1; [ -t 0 ] || echo no terminal',
      ],
      needs: ['python3'],
    },
    {
      name: 'both-streams',
      steps: [
        'echo out; echo err >&2; echo out2',
        'ls . missing > all.txt 2>&1; wc -l < all.txt; { echo a; echo b >&2; } 2> e.txt; cat e.txt',
      ],
    },
    { name: 'much-output', steps: ['seq 20000', 'seq 20000 | tail -1'] },
    {
      name: 'crash-of-a-program',
      needs: ['cc'],
      setUp: `echo 'int main(void){volatile int *p = 0; return *p;}' > c.c && cc -w -o c c.c`,
      steps: ['./c; echo $?', 'ls; ulimit -c'],
    },
    {
      name: 'terminal-programs',
      needs: ['script'],
      steps: [
        'script -qec "tty > /dev/null && echo terminal" /dev/null | tr -d "\\r"',
        'TERM=xterm tput colors; clear > /dev/null; stty size 2>/dev/null || echo none',
      ],
    },
    {
      name: 'pace-and-priority',
      steps: [
        'nice -n 5 sh -c "nice"; setsid sh -c "echo own session"',
        'time -p true 2>&1 | cut -d" " -f1; SECONDS=0; sleep 1.1; echo $SECONDS',
      ],
    },
  ],
};
