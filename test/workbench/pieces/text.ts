import type { Group } from '../piece.ts';

const PEOPLE = `printf 'name,city,age\\nAda,Oslo,36\\nBo,Rome,41\\nCy,Oslo,29\\nDi,Bonn,52\\n' > people.csv`;

export const TEXT: Group = {
  name: 'text',
  title: 'text processing and scripting',
  pieces: [
    {
      name: 'here-documents',
      steps: [
        "cat > conf.ini <<EOF\n[main]\nuser = $((6*7))\nEOF\ncat > raw.txt <<'EOF'\n$HOME stays\nEOF",
        'cat conf.ini raw.txt; tr a-z A-Z <<< "one line"',
      ],
    },
    {
      name: 'process-substitution',
      setUp: 'printf "b\\na\\nc\\n" > one; printf "a\\nc\\nd\\n" > two',
      steps: [
        'diff <(sort one) <(sort two)',
        'comm -12 <(sort one) <(sort two) | tee >(wc -l > count) > common; sleep 0.2; cat count common',
      ],
    },
    {
      name: 'arrays-and-functions',
      steps: [
        'declare -A sizes=([s]=1 [m]=2); for k in s m; do echo "$k=${sizes[$k]}"; done; list=(x y z); echo "${#list[@]} ${list[-1]} ${list[@]:1}"',
        'fact() { (( $1 < 2 )) && echo 1 || echo $(( $1 * $(fact $(( $1 - 1 ))) )); }; fact 6',
      ],
    },
    {
      name: 'parameter-expansion',
      steps: [
        'f=archive.tar.gz; echo ${f%%.*} ${f#*.} ${f/tar/zip} ${#f} ${f^^} ${missing:-default}',
        'for f in {a..c}{1..2}; do touch $f.txt; done; for f in *.txt; do mv "$f" "${f%.txt}.md"; done; ls',
      ],
    },
    {
      name: 'find-and-xargs',
      setUp:
        'mkdir -p src/deep lib; for f in src/a.c src/deep/b.c lib/c.c src/d.h; do echo "// $f" > $f; done',
      steps: [
        "find . -name '*.c' -print0 | sort -z | xargs -0 wc -l",
        "find src -type f -name '*.h' -exec sed -i 's,//,/* header */,' {} + ; cat src/d.h",
        'find . -name "*.c" -newer src/d.h; find . -type d -empty -delete; ls -R',
      ],
    },
    {
      name: 'csv-with-awk',
      setUp: PEOPLE,
      steps: [
        "awk -F, 'NR>1 {n[$2]++; s[$2]+=$3} END {for (c in n) print c, n[c], s[c]/n[c]}' people.csv | sort",
        'tail -n +2 people.csv | sort -t, -k3,3nr | cut -d, -f1 | paste -sd" "; join -t, <(sort people.csv) <(printf "Ada,x\\nDi,y\\n") > joined; cat joined',
      ],
    },
    {
      name: 'json-with-jq',
      needs: ['jq'],
      setUp: `echo '{"items":[{"n":"a","v":1},{"n":"b","v":5}]}' > data.json`,
      steps: [
        "jq -r '.items[] | select(.v>2) | .n' data.json",
        "jq '.items |= map(.v *= 10)' data.json > t && mv t data.json; jq -c . data.json",
      ],
    },
    {
      name: 'script-with-options',
      steps: [
        `cat > greet.sh <<'EOF'\n#!/usr/bin/env bash\nset -euo pipefail\nwhile getopts n:l o; do case $o in n) name=$OPTARG;; l) loud=1;; *) exit 2;; esac; done\nt="hello \${name:-you}"\necho "\${loud:+\${t^^}}\${loud-$t}"\nEOF\nchmod +x greet.sh`,
        './greet.sh -n Ann; ./greet.sh -l; ./greet.sh -x; echo "exit $?"',
      ],
    },
    {
      name: 'read-loop',
      setUp: PEOPLE,
      steps: [
        'while IFS=, read -r name city age; do printf "%-5s|%5s\\n" "$name" "$age"; done < people.csv',
        'mapfile -t lines < people.csv; echo ${#lines[@]}; select x in a; do echo $x; break; done <<< 1 2>/dev/null',
      ],
    },
    {
      name: 'encodings',
      needs: ['iconv'],
      steps: [
        "printf 'gr\\xfc\\xdfe\\n' > latin.txt; iconv -f latin1 -t utf8 latin.txt",
        'base64 latin.txt; xxd -p latin.txt; echo "ß" | wc -mc; printf "a\\r\\nb\\r\\n" > dos.txt; tr -d "\\r" < dos.txt > unix.txt; od -c unix.txt',
      ],
    },
    {
      name: 'checksums',
      setUp: 'seq 100 > a; seq 200 > b',
      steps: [
        'sha256sum a b > sums; sha256sum -c sums',
        'echo x >> a; sha256sum -c sums; md5sum b | cut -c1-8',
      ],
    },
    {
      name: 'split-and-join',
      setUp: 'seq 1000 > numbers',
      steps: [
        'split -l 300 -d numbers part-; wc -l part-*',
        'cat part-* | cmp - numbers && csplit -s numbers /500/ && wc -l xx*; rm part-* xx*',
      ],
    },
    {
      name: 'log-report',
      setUp: `for i in $(seq 60); do echo "10.0.0.$((i%7)) GET /p$((i%5)) $((i%4==0?500:200))"; done > access.log`,
      steps: [
        "cut -d' ' -f1 access.log | sort | uniq -c | sort -rn | head -3",
        'awk \'$4>=500 {e[$3]++} END {for (p in e) printf "%s %d\\n", p, e[p]}\' access.log | sort | column -t',
      ],
    },
    {
      name: 'render-template',
      needs: ['envsubst'],
      setUp: `printf 'host=\${HOST}\\nport=\${PORT}\\n' > app.tpl`,
      steps: [
        'HOST=db.local PORT=5432 envsubst < app.tpl > app.conf; cat app.conf',
        'set -a; . ./app.conf; set +a; env | grep -E "^(host|port)=" | sort',
      ],
    },
    {
      name: 'dates-and-numbers',
      needs: ['bc'],
      steps: [
        'date -u -d "2024-02-28 +2 days" +%F; TZ=America/New_York date -d @0 +"%F %Z"; TZ=Europe/Berlin date -d "2024-07-01 12:00 UTC" +%H:%M',
        'echo "scale=4; 22/7" | bc; printf "%x %o %.2f\\n" 255 8 3.14159; numfmt --to=iec 1048576; seq -s, 1 5',
      ],
    },
    {
      name: 'loose-ends-of-bash',
      steps: [
        'coproc CAT { cat; }; echo hi >&${CAT[1]}; read -r x <&${CAT[0]}; echo "got $x"; kill $CAT_PID',
        'shopt -s globstar extglob; mkdir -p d/e; touch d/e/f.txt d/g.log; echo **/*.txt; echo d/!(*.log); exec 3> fd3; echo three >&3; exec 3>&-; cat fd3',
      ],
    },
  ],
};
