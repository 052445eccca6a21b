import type { Group } from '../piece.ts';

export const NAMES: Group = {
  name: 'names',
  title: 'odd names, links and modes',
  pieces: [
    {
      name: 'blanks-and-quotes',
      steps: [
        `touch "a b" "it's" 'say "x"' '$HOME' 'a*b'`,
        'for f in *; do echo "<$f>"; done; rm -- "a b" \'$HOME\'; ls | wc -l',
      ],
    },
    { name: 'dashes-and-dots', steps: ['touch -- -n --help ...; mkdir .hidden', 'ls -A; rm -- -n ./--help'] },
    {
      name: 'line-breaks',
      steps: ["touch $'two\\nlines' $'tab\\there'", 'find . -type f -print0 | tr "\\0" "|" | wc -c; ls -b'],
    },
    {
      name: 'other-scripts',
      steps: [
        'mkdir Größe 日本 && echo x > "日本/ファイル.txt" && touch "naïve 🎉.md"',
        'ls; cat 日本/*; mv Größe grösse',
      ],
    },
    {
      name: 'no-utf8',
      steps: ["touch $'caf\\xe9' $'\\xff\\xfe'", 'ls | od -An -tx1 | tr -d "\\n"; rm $\'\\xff\\xfe\''],
    },
    {
      name: 'long-names',
      steps: [
        'n=$(printf "x%.0s" $(seq 250)); touch $n && ls | wc -c',
        'touch $(printf "y%.0s" $(seq 300)) 2>&1 | grep -o "File name too long"',
      ],
    },
    {
      name: 'case',
      steps: ['touch readme README Readme; ls', 'mv readme other; git init -q . 2>/dev/null; ls | sort -f'],
      needs: ['git'],
    },
    {
      name: 'symbolic-links',
      setUp: 'mkdir -p v1 v2; echo 1 > v1/f; echo 2 > v2/f',
      steps: [
        'ln -s v1 current && cat current/f',
        'ln -sfn v2 current && cat current/f; readlink -f current | sed "s,.*/,,"',
        'ln -s nowhere broken; ln -s loop loop; find . -xtype l 2>/dev/null; cat loop 2>&1 | tail -c 36',
      ],
    },
    {
      name: 'hard-links',
      setUp: 'echo a > one',
      steps: [
        'ln one two && echo b >> two && cat one; stat -c %h one',
        'rm one; cat two; ln two three; echo c > new; mv new two; cat three',
      ],
    },
    {
      name: 'hard-links-that-were-there',
      setUp: 'echo a > one; ln one two; mkdir d; ln one d/three',
      steps: ['echo b >> one; cat two d/three', 'stat -c %h two; sed -i s/a/A/ two; cat one d/three'],
    },
    {
      name: 'link-outside',
      setUp: 'mkdir ../shared; echo s > ../shared/s.txt',
      steps: ['ln -s ../shared shared', 'cat shared/s.txt; readlink shared'],
    },
    {
      name: 'link-to-system',
      steps: [
        'ln -s /usr/bin/env env; ln -s /etc/hosts hosts',
        './env printf ok; test -r hosts && echo readable',
      ],
    },
    {
      name: 'modes',
      setUp: 'echo x > f; mkdir d',
      steps: [
        'chmod 400 f; chmod a+x d; chmod u=rwx,g=rx,o= d; stat -c "%a %n" f d',
        'chmod +x f; chmod g+s d; mkdir d/sub; stat -c %a d d/sub; chmod 1777 d',
      ],
    },
    { name: 'set-user-program', steps: ['cp /usr/bin/true prog && chmod 4755 prog', 'stat -c %a prog'] },
    {
      name: 'read-only-things',
      setUp: 'mkdir ro; echo x > ro/f; chmod 444 ro/f; chmod 555 ro',
      steps: [
        'echo y > ro/f; echo "exit $?"; touch ro/new; echo "exit $?"',
        'chmod 755 ro; rm -f ro/f; ls ro',
      ],
    },
    {
      name: 'named-pipes',
      steps: [
        'mkfifo p; (echo through > p &) ; cat p; rm p',
        'mkfifo /tmp/workbench-{{port}}; (seq 3 > /tmp/workbench-{{port}} &); paste -sd+ /tmp/workbench-{{port}}; rm /tmp/workbench-{{port}}',
      ],
    },
    { name: 'named-pipe-kept', steps: ['mkfifo queue && stat -c %F queue', 'ls -F'] },
    {
      name: 'file-becomes-folder',
      setUp: 'echo f > thing; mkdir other; echo o > other/o',
      steps: [
        'rm thing && mkdir thing && echo in > thing/x',
        'rm -r other && echo file > other; cat other thing/x; mv thing t2 && ln -s t2 thing; cat thing/x',
      ],
    },
    {
      name: 'swap-files',
      setUp: 'echo a > a; echo b > b',
      steps: ['mv a t && mv b a && mv t b; cat a b', 'mv -n a b; mv --backup=numbered b a; ls -A'],
    },
    {
      name: 'sparse-files',
      steps: [
        'truncate -s 5M hole && stat -c "%s %b" hole',
        'printf end >> hole; tail -c 3 hole; cp --sparse=always hole h2; cmp hole h2 && rm hole h2',
      ],
    },
    {
      name: 'dotenv',
      setUp:
        'printf "PORT=8080\\n" > .env; printf "set -a; . ./.env; echo port $PORT\\n" > run.sh; sed -i "s/port /port \\$PORT/" run.sh',
      steps: ['cat .env', '. ./.env; echo "$PORT"', 'sh run.sh'],
    },
    {
      name: 'times',
      setUp: 'echo x > f; touch -d "2020-01-01 UTC" f',
      steps: [
        'stat -c %Y f; touch -m -d "2021-01-01 UTC" f; stat -c %Y f',
        'touch g; [ g -nt f ] && echo newer; find . -newermt 2020-06-01 -name f',
      ],
    },
  ],
};
