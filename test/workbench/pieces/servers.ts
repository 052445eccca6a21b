import type { Group } from '../piece.ts';

/** Asks until the server answers. */
const GET = 'curl -s --retry 12 --retry-connrefused --retry-delay 1 --max-time 15 http://127.0.0.1:{{port}}';
const NODE_SERVER = `
cat > server.js <<'EOS'
const http = require('node:http'), fs = require('node:fs');
let hits = 0;
http.createServer((req, res) => {
  hits += 1;
  if (req.url === '/file') return res.end(fs.readFileSync('page.txt'));
  if (req.url === '/write') { fs.writeFileSync('written.txt', 'by the server\\n'); return res.end('written\\n'); }
  res.end('hit ' + hits + '\\n');
}).listen({{port}}, '127.0.0.1', () => console.log('ready'));
EOS
echo first > page.txt
`;
const NODE = ['node', 'curl'];

export const SERVERS: Group = {
  name: 'servers',
  title: 'servers reached by a second command, and watchers',
  pieces: [
    {
      name: 'static-files',
      needs: ['python3', 'curl'],
      setUp: 'echo "<h1>hi</h1>" > index.html',
      steps: [
        { run: 'python3 -m http.server {{port}} --bind 127.0.0.1', background: true },
        `${GET}/index.html`,
      ],
    },
    {
      name: 'started-with-ampersand',
      needs: NODE,
      setUp: NODE_SERVER,
      steps: ['node server.js > /dev/null 2>&1 &', `${GET}/; ${GET}/`],
    },
    {
      name: 'started-with-nohup',
      needs: NODE,
      setUp: NODE_SERVER,
      steps: [
        'nohup node server.js > server.log 2>&1 & echo $! > server.pid; sleep 0.5',
        `${GET}/`,
        'kill $(cat server.pid) && rm server.pid; cat server.log',
      ],
    },
    {
      name: 'background-and-asked',
      needs: NODE,
      setUp: NODE_SERVER,
      steps: [{ run: 'node server.js', background: true }, `${GET}/`, `${GET}/ && echo ok`],
    },
    {
      name: 'sees-later-changes',
      needs: NODE,
      setUp: NODE_SERVER,
      steps: [
        { run: 'node server.js', background: true },
        `${GET}/file`,
        'echo second > page.txt',
        `${GET}/file`,
      ],
    },
    {
      name: 'writes-the-folder',
      needs: NODE,
      setUp: NODE_SERVER,
      steps: [{ run: 'node server.js', background: true }, `${GET}/write`, 'sleep 3; cat written.txt'],
    },
    {
      name: 'sees-replaced-file',
      needs: NODE,
      setUp: NODE_SERVER,
      steps: [
        { run: 'node server.js', background: true },
        `${GET}/file`,
        'echo third > new && mv new page.txt',
        `${GET}/file`,
      ],
    },
    {
      name: 'stopped-and-restarted',
      needs: NODE,
      setUp: NODE_SERVER,
      steps: [
        'node server.js > /dev/null 2>&1 & echo $! > pid',
        `${GET}/`,
        'kill $(cat pid); node server.js > /dev/null 2>&1 & echo $! > pid',
        `${GET}/; kill $(cat pid); rm pid`,
      ],
    },
    {
      name: 'unix-socket',
      needs: NODE,
      setUp: `echo 'require("http").createServer((q,s)=>s.end("by socket\\n")).listen(process.argv[2])' > s.js`,
      steps: [
        { run: 'node s.js /tmp/workbench-{{port}}.sock', background: true },
        'curl -s --unix-socket /tmp/workbench-{{port}}.sock http://x/; rm -f /tmp/workbench-{{port}}.sock',
      ],
    },
    {
      name: 'node-watch',
      needs: ['node'],
      setUp: `mkdir src && echo a > src/in && echo 'const fs = require("fs"); fs.writeFileSync("out.txt", fs.readFileSync("src/in"))' > job.js`,
      steps: [
        { run: 'node --watch-path=src job.js', background: true },
        'for i in $(seq 40); do [ -s out.txt ] && break; sleep 0.1; done; cat out.txt; echo b > src/in',
        'for i in $(seq 40); do grep -q b out.txt && break; sleep 0.1; done; cat out.txt',
      ],
    },
    {
      name: 'watcher-builds',
      needs: ['node'],
      setUp: `echo a > in.txt; cat > watch.js <<'EOS'
const fs = require('node:fs');
const build = () => fs.writeFileSync('out.txt', fs.readFileSync('in.txt', 'utf8').toUpperCase());
build();
fs.watch('.', (_, name) => { if (name === 'in.txt') build(); });
EOS`,
      steps: [
        { run: 'node watch.js', background: true },
        'for i in $(seq 50); do [ -s out.txt ] && break; sleep 0.1; done; cat out.txt',
        'echo b > in.txt',
        'for i in $(seq 50); do grep -q B out.txt && break; sleep 0.1; done; cat out.txt',
      ],
    },
    {
      name: 'tail-follows',
      setUp: 'echo one > app.log',
      steps: [{ run: 'tail -f app.log', background: true }, 'echo two >> app.log; cat app.log'],
    },
    {
      name: 'two-servers',
      needs: NODE,
      setUp: `${NODE_SERVER} echo 'const h=require("http");h.createServer((q,s)=>h.get("http://127.0.0.1:{{port}}/",r=>r.pipe(s))).listen("front.sock")' > front.js`,
      steps: [
        { run: 'node server.js', background: true },
        { run: 'node front.js', background: true },
        'curl -s --retry 12 --retry-connrefused --retry-delay 1 --unix-socket front.sock http://x/; rm -f front.sock',
      ],
    },
    {
      name: 'tcp-with-bash',
      needs: ['python3'],
      setUp: `printf 'import socketserver\\nclass H(socketserver.StreamRequestHandler):\\n    def handle(self): self.wfile.write(self.rfile.readline().upper())\\nsocketserver.TCPServer.allow_reuse_address = True\\nsocketserver.TCPServer(("127.0.0.1", {{port}}), H).serve_forever()\\n' > echo.py`,
      steps: [
        { run: 'python3 echo.py', background: true },
        'for i in $(seq 40); do exec 3<>/dev/tcp/127.0.0.1/{{port}} && break; sleep 0.1; done 2>/dev/null; echo hello >&3; cat <&3',
      ],
    },
    {
      name: 'is-the-port-free',
      needs: NODE,
      setUp: NODE_SERVER,
      steps: [
        { run: 'node server.js', background: true },
        `${GET}/ > /dev/null; node -e 'require("net").createServer().on("error",e=>console.log(e.code)).listen({{port}},"127.0.0.1",function(){console.log("free");this.close()})'`,
      ],
    },
    {
      name: 'server-tests',
      needs: NODE,
      setUp: NODE_SERVER,
      steps: [
        `node server.js > log.txt & trap "kill $!" EXIT; for i in 1 2 3; do ${GET}/; done; cat log.txt`,
      ],
    },
  ],
};
