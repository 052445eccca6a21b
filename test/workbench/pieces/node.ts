import type { Group } from '../piece.ts';

const LIBRARY = `
mkdir -p library && cd library
echo '{"name":"greeter","version":"1.2.0","main":"index.js","bin":{"greet":"cli.js"}}' > package.json
echo 'module.exports = (n) => "hello " + n;' > index.js
printf '#!/usr/bin/env node\\nconsole.log(require("./index.js")(process.argv[2] ?? "you"));\\n' > cli.js
chmod +x cli.js; cd ..
`;

const NPM = ['node', 'npm'];
const QUIET = '--no-audit --no-fund --offline --loglevel=error';

export const NODE: Group = {
  name: 'node',
  title: 'node and npm without network',
  pieces: [
    {
      name: 'run-a-script',
      needs: ['node'],
      steps: [
        `echo 'console.log([3,1,2].sort().join(), process.argv[2])' > a.js && node a.js x`,
        `node -e 'require("fs").writeFileSync("out.json", JSON.stringify({a:1}))' && node -p 'require("./out.json").a'`,
      ],
    },
    {
      name: 'esm-modules',
      needs: ['node'],
      setUp: 'mkdir src && echo "export const add = (a, b) => a + b;" > src/add.mjs',
      steps: [
        `echo 'import { add } from "./src/add.mjs"; console.log(add(2, 3));' > main.mjs && node main.mjs`,
      ],
    },
    {
      name: 'npm-init-and-run',
      needs: NPM,
      steps: [
        'npm init -y > /dev/null && npm pkg set scripts.hello="node -p 6*7"',
        'npm run -s hello && cat package.json',
      ],
    },
    {
      name: 'install-a-folder',
      needs: NPM,
      setUp: `${LIBRARY} echo '{"name":"app","version":"1.0.0","private":true}' > package.json`,
      steps: [
        `npm install ./library ${QUIET}`,
        `node -p 'require("greeter")("Ann")'; npx greet Bo; ls node_modules`,
        'npm ls --depth=0 | tail -n +2',
      ],
    },
    {
      name: 'install-a-tarball',
      needs: NPM,
      setUp: `${LIBRARY} (cd library && npm pack -s --pack-destination .. >/dev/null); rm -r library; echo '{"name":"app","version":"1.0.0"}' > package.json`,
      steps: [
        `npm install ./greeter-1.2.0.tgz ${QUIET} && node -p 'require("greeter")("tar")'`,
        `rm -rf node_modules && npm ci ${QUIET} && npx greet again`,
      ],
    },
    {
      name: 'workspaces',
      needs: NPM,
      setUp: `${LIBRARY} mkdir packages && mv library packages/greeter && mkdir packages/app && echo '{"name":"app","version":"1.0.0","dependencies":{"greeter":"*"},"scripts":{"start":"node -p \\"require(\\\\\\"greeter\\\\\\")(1)\\""}}' > packages/app/package.json && echo '{"private":true,"workspaces":["packages/*"]}' > package.json`,
      steps: [`npm install ${QUIET}`, 'npm start -s -w app; ls -l node_modules | grep -c -- "->"'],
    },
    {
      name: 'pack-and-version',
      needs: NPM,
      setUp: `cd ..; ${LIBRARY} cd library && git init -q && git add . && git commit -qm first`,
      folder: 'work/library',
      steps: [
        'npm version minor -m "release %s"',
        'git log -1 --format=%s; git tag; npm pack -s && tar tzf *.tgz | sort',
      ],
    },
    {
      name: 'test-runner',
      needs: ['node'],
      setUp: `mkdir test && printf 'const t = require("node:test"), a = require("node:assert");\\nt("adds", () => a.equal(1 + 1, 2));\\nt("fails", () => a.equal(1, 2));\\n' > test/a.test.js`,
      steps: [
        'node --test test/ | grep -E "^# (tests|pass|fail)"',
        `sed -i 's/(1, 2)/(2, 2)/' test/a.test.js && node --test test/ > report.txt; echo "exit $?"; grep -c "^ok" report.txt`,
      ],
    },
    {
      name: 'build-script',
      needs: NPM,
      setUp: `echo '{"name":"b","version":"1.0.0","scripts":{"build":"node build.js","prebuild":"rm -rf dist","postbuild":"ls dist"}}' > package.json; mkdir src; for i in a b c; do echo "let $i = 1;" > src/$i.js; done; echo 'const fs=require("fs");fs.mkdirSync("dist");for(const f of fs.readdirSync("src"))fs.writeFileSync("dist/"+f.replace(".js",".min.js"),fs.readFileSync("src/"+f,"utf8").replace(/ /g,""))' > build.js`,
      steps: [
        'npm run build --silent',
        'echo "let d = 2;" > src/d.js && npm run build --silent && cat dist/*',
      ],
    },
    {
      name: 'failing-script',
      needs: NPM,
      setUp: `echo '{"name":"f","version":"1.0.0","scripts":{"lint":"node -e \\"console.error(1);process.exit(3)\\""}}' > package.json`,
      steps: [
        'npm run lint --silent; echo "exit $?"',
        'node -e "null.x" 2>&1 | grep TypeError; node missing.js 2>/dev/null || echo failed',
      ],
    },
    {
      name: 'child-processes-and-workers',
      needs: ['node'],
      steps: [
        `node -e 'console.log(require("child_process").execSync("echo from shell").toString().trim())'`,
        `echo 'const {Worker,isMainThread,parentPort}=require("worker_threads"); if(isMainThread) new Worker(__filename).on("message",m=>console.log(m)); else parentPort.postMessage([1,2].map(x=>x*2))' > w.js && node w.js`,
      ],
    },
    {
      name: 'npm-cache',
      needs: NPM,
      setUp: `${LIBRARY} (cd library && npm pack -s --pack-destination .. >/dev/null)`,
      steps: [
        'npm cache add ./greeter-1.2.0.tgz',
        'npm cache verify | grep -i "index entries"',
        'npm config get cache | sed "s,.*/,,"',
      ],
    },
    {
      name: 'npm-settings',
      needs: NPM,
      steps: [
        'npm config set fund=false --location=user',
        'npm config get fund; echo "save-exact=true" > .npmrc; npm config get save-exact',
      ],
    },
    {
      name: 'remove-node-modules',
      needs: ['node'],
      setUp:
        'for i in $(seq 120); do mkdir -p node_modules/p$i/lib; echo "module.exports=$i" > node_modules/p$i/lib/index.js; done; echo "{}" > package.json',
      steps: ['rm -rf node_modules && ls -A'],
    },
    {
      name: 'streams-and-files',
      needs: ['node'],
      setUp: 'seq 20000 > numbers.txt',
      steps: [
        `node -e 'const z=require("zlib"),fs=require("fs");fs.createReadStream("numbers.txt").pipe(z.createGzip()).pipe(fs.createWriteStream("n.gz"))' && zcat n.gz | cmp - numbers.txt && echo equal`,
        `node -e 'const fs=require("fs");fs.renameSync("n.gz","moved.gz");fs.cpSync("numbers.txt","copy.txt");fs.rmSync("numbers.txt");fs.symlinkSync("copy.txt","link")' && ls`,
      ],
    },
    {
      name: 'server-in-one-command',
      needs: ['node', 'curl'],
      steps: [
        `node -e 'require("http").createServer((q,s)=>s.end("served "+q.url)).listen({{port}},"127.0.0.1")' & pid=$!; curl -s --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:{{port}}/x; kill $pid`,
      ],
    },
  ],
};
