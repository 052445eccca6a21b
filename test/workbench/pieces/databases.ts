import type { Group } from '../piece.ts';

const SHOP = `sqlite3 shop.db "create table item(id integer primary key, name text, price int); insert into item(name, price) values ('pen', 2), ('book', 9);"`;
const SQLITE = ['sqlite3'];
const POSTGRES = ['/usr/local/bin/postgres', 'initdb', 'pg_ctl', 'psql'];

export const DATABASES: Group = {
  name: 'databases',
  title: 'sqlite, postgres, redis and files of keys',
  pieces: [
    {
      name: 'create-and-query',
      needs: SQLITE,
      steps: [
        SHOP,
        'sqlite3 shop.db "select name, price from item order by price"',
        'sqlite3 -json shop.db "select sum(price) s from item"',
      ],
    },
    {
      name: 'change-existing',
      needs: SQLITE,
      setUp: SHOP,
      steps: [
        'sqlite3 shop.db "update item set price = price * 2; delete from item where id = 1"',
        'sqlite3 shop.db "select * from item"',
        'sqlite3 shop.db "alter table item add stock int default 0; create index by_name on item(name)"',
      ],
    },
    {
      name: 'import-csv',
      needs: SQLITE,
      setUp: 'printf "a,b\\n1,x\\n2,y\\n" > in.csv',
      steps: [
        'sqlite3 data.db ".mode csv" ".import in.csv t"',
        'sqlite3 -header -csv data.db "select b, a from t" > out.csv; cat out.csv',
      ],
    },
    {
      name: 'dump-and-restore',
      needs: SQLITE,
      setUp: SHOP,
      steps: [
        'sqlite3 shop.db .dump > dump.sql && wc -l dump.sql',
        'sqlite3 copy.db < dump.sql && sqlite3 copy.db "select count(*) from item"; sqlite3 shop.db ".backup back.db"; ls',
      ],
    },
    {
      name: 'write-ahead-log',
      needs: SQLITE,
      setUp: SHOP,
      steps: [
        'sqlite3 shop.db "pragma journal_mode=wal; insert into item(name) values (\'cup\')"',
        'sqlite3 shop.db "pragma journal_mode; select count(*) from item"; ls',
      ],
    },
    {
      name: 'schema-migration',
      needs: SQLITE,
      setUp: `mkdir migrations; echo 'create table u(id int);' > migrations/1.sql; echo 'alter table u add name text;' > migrations/2.sql`,
      steps: [
        'for f in migrations/*.sql; do sqlite3 app.db < $f && echo "done $f"; done',
        'echo "insert into u values (1, \'a\');" > migrations/3.sql; sqlite3 app.db < migrations/3.sql; sqlite3 app.db .schema "select * from u"',
      ],
    },
    {
      name: 'failing-transaction',
      needs: SQLITE,
      setUp: SHOP,
      steps: [
        'sqlite3 -bail shop.db "begin; insert into item(id) values (9); insert into item(id) values (9); commit;"',
        'sqlite3 shop.db "select count(*) from item; pragma integrity_check"',
      ],
    },
    {
      name: 'from-python',
      needs: ['python3'],
      steps: [
        `python3 -c "
import sqlite3
with sqlite3.connect('p.db') as c:
    c.execute('create table t(x)')
    c.executemany('insert into t values (?)', [(i,) for i in range(100)])
"`,
        "python3 -c \"import sqlite3; print(sqlite3.connect('p.db').execute('select sum(x) from t').fetchone())\"",
      ],
    },
    {
      name: 'from-node',
      needs: ['node'],
      steps: [
        `node -e 'const fs=require("fs");let s=fs.existsSync("db.json")?JSON.parse(fs.readFileSync("db.json")):[];s.push(s.length);fs.writeFileSync("db.json.new",JSON.stringify(s));fs.renameSync("db.json.new","db.json")'`,
        `node -e 'const fs=require("fs");let s=JSON.parse(fs.readFileSync("db.json"));s.push(s.length);fs.writeFileSync("db.json.new",JSON.stringify(s));fs.renameSync("db.json.new","db.json")' && cat db.json`,
      ],
    },
    {
      name: 'opened-by-another',
      needs: ['sqlite3', 'python3'],
      setUp: SHOP,
      steps: [
        {
          run: "python3 -c \"import sqlite3,time; c=sqlite3.connect('shop.db'); print(c.execute('select count(*) from item').fetchone()); time.sleep(20)\"",
          background: true,
        },
        'sqlite3 shop.db "insert into item(name) values (\'cup\')"',
        'sqlite3 shop.db "select count(*) from item"',
      ],
    },
    {
      name: 'large-insert',
      needs: SQLITE,
      steps: [
        'sqlite3 big.db "create table n(x); with recursive c(x) as (select 1 union all select x+1 from c where x < 50000) insert into n select x from c; select count(*), sum(x) from n"',
        'sqlite3 big.db "delete from n where x % 2; vacuum; select count(*) from n"',
      ],
    },
    {
      name: 'key-value-files',
      needs: ['python3'],
      steps: [
        "python3 -c \"import dbm.dumb as d; f = d.open('kv', 'c'); f['a'] = '1'; f.close()\"",
        "python3 -c \"import dbm.dumb as d; f = d.open('kv', 'w'); f['b'] = '2'; print(sorted(f.keys())); f.close()\"; ls",
      ],
    },
    {
      name: 'postgres-as-user',
      needs: POSTGRES,
      as: 'user',
      steps: [
        'initdb -D data -A trust -U me > /dev/null && pg_ctl -D data -o "-p {{port}} -k $PWD" -l log -w start > /dev/null && psql -h 127.0.0.1 -p {{port}} -U me postgres -Atc "select 6*7"; pg_ctl -D data -m fast stop > /dev/null; rm -rf data log',
      ],
    },
    {
      name: 'postgres-left-running',
      needs: POSTGRES,
      as: 'user',
      setUp: 'initdb -D ../data -A trust -U me > /dev/null',
      steps: [
        'pg_ctl -D ../data -o "-p {{port}} -k /tmp" -l ../log -w start > /dev/null 2>&1; echo started',
        'psql -h 127.0.0.1 -p {{port}} -U me postgres -Atc "create table t(x int); insert into t values (5); select * from t"',
        'pg_ctl -D ../data -m fast stop > /dev/null; rm -rf ../data ../log',
      ],
    },
    {
      name: 'redis',
      needs: ['redis-server', 'redis-cli'],
      steps: [
        { run: 'redis-server --port {{port}} --save ""', background: true },
        'redis-cli -p {{port}} set a 1; redis-cli -p {{port}} incr a',
      ],
    },
  ],
};
