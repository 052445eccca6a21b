import type { Group } from '../piece.ts';

const C_PROGRAM = `
mkdir -p src include
echo 'int add(int a, int b);' > include/add.h
echo '#include "add.h"
int add(int a, int b) { return a + b; }' > src/add.c
echo '#include <stdio.h>
#include "add.h"
int main(void) { printf("sum %d\\n", add(2, 3)); return 0; }' > src/main.c
printf 'CFLAGS = -O1 -Iinclude\\nOBJ = src/add.o src/main.o\\napp: $(OBJ)\\n\\tcc -o $@ $^\\n%%.o: %%.c include/add.h\\n\\tcc $(CFLAGS) -c -o $@ $<\\nclean:\\n\\trm -f app $(OBJ)\\ninstall: app\\n\\tinstall -D -m 755 app $(DESTDIR)$(PREFIX)/bin/app\\n.PHONY: clean install\\n' > Makefile
`;
const CMAKE_PROGRAM = `${C_PROGRAM}
rm Makefile
printf 'cmake_minimum_required(VERSION 3.16)\\nproject(demo C)\\nadd_library(add STATIC src/add.c)\\ntarget_include_directories(add PUBLIC include)\\nadd_executable(app src/main.c)\\ntarget_link_libraries(app add)\\nenable_testing()\\nadd_test(NAME runs COMMAND app)\\ninstall(TARGETS app DESTINATION bin)\\n' > CMakeLists.txt
`;
const CARGO_PROGRAM = `
mkdir -p src
printf '[package]\\nname = "tool"\\nversion = "0.1.0"\\nedition = "2021"\\n' > Cargo.toml
printf 'pub fn twice(x: i32) -> i32 {\\n    x * 2\\n}\\n#[test]\\nfn doubles() {\\n    assert_eq!(twice(2), 4);\\n}\\n' > src/lib.rs
printf 'fn main() {\\n    println!("{}", tool::twice(21));\\n}\\n' > src/main.rs
printf 'target\\n' > .gitignore
`;
const MAKE = ['cc', 'make'];
const CMAKE = ['cc', 'cmake', 'make'];

export const BUILD: Group = {
  name: 'build',
  title: 'C and C++ with make and cmake, rust, go, java',
  pieces: [
    {
      name: 'compile-and-run',
      needs: ['cc'],
      steps: [
        `printf '#include <stdio.h>\\nint main(void){puts("hi");return 4;}\\n' > a.c && cc -Wall -o a a.c`,
        './a; echo "exit $?"',
      ],
    },
    { name: 'make', needs: MAKE, setUp: C_PROGRAM, steps: ['make', './app', 'make'] },
    {
      name: 'make-incremental',
      needs: MAKE,
      setUp: C_PROGRAM,
      steps: [
        'make -s',
        "sed -i 's/a + b/a * b/' src/add.c && make",
        './app; touch include/add.h && make | wc -l; make -s clean; ls src',
      ],
    },
    {
      name: 'make-parallel',
      needs: MAKE,
      setUp: C_PROGRAM,
      steps: ['make -j4 -s && ./app', 'make clean && make -j4 CFLAGS="-g -Iinclude" -s && ./app'],
    },
    {
      name: 'make-install',
      needs: MAKE,
      setUp: C_PROGRAM,
      steps: [
        'make -s install PREFIX=$PWD/out && out/bin/app',
        'make -s install DESTDIR=stage PREFIX=/usr && find stage -type f',
      ],
    },
    {
      name: 'make-fails',
      needs: MAKE,
      setUp: `${C_PROGRAM} sed -i 's/return 0/retrun 0/' src/main.c`,
      steps: ['make 2>&1 | grep -c error', 'make -k -s 2>/dev/null; echo "exit $?"; ls src'],
    },
    {
      name: 'cmake',
      needs: CMAKE,
      setUp: CMAKE_PROGRAM,
      steps: [
        'cmake -S . -B build > /dev/null',
        'cmake --build build | grep -v Entering | tail -2',
        'build/app; cmake --install build --prefix out > /dev/null && out/bin/app',
      ],
    },
    {
      name: 'ctest',
      needs: CMAKE,
      setUp: `${CMAKE_PROGRAM} cmake -S . -B build > /dev/null`,
      steps: [
        'cmake --build build > /dev/null && ctest --test-dir build | grep "tests passed"',
        "sed -i 's/return 0/return 1/' src/main.c && cmake --build build > /dev/null; ctest --test-dir build | grep 'tests passed'",
      ],
    },
    {
      name: 'cmake-ninja',
      needs: ['cc', 'cmake', 'ninja'],
      setUp: CMAKE_PROGRAM,
      steps: [
        'cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Release > /dev/null && ninja -C build | tail -1',
        'build/app; ninja -C build | tail -1; rm -rf build',
      ],
    },
    {
      name: 'shared-library',
      needs: ['cc'],
      setUp: C_PROGRAM,
      steps: [
        'cc -shared -fPIC -Iinclude -o libadd.so src/add.c && cc -Iinclude -o app src/main.c -L. -ladd',
        'LD_LIBRARY_PATH=. ./app; nm -D libadd.so | grep -w add | cut -c18-',
      ],
    },
    {
      name: 'static-library',
      needs: ['cc', 'ar'],
      setUp: C_PROGRAM,
      steps: [
        'cc -Iinclude -c src/add.c && ar rcsD libadd.a add.o && ar t libadd.a',
        'cc -Iinclude -o app src/main.c libadd.a && strip app && ./app',
      ],
    },
    {
      name: 'c-plus-plus',
      needs: ['g++'],
      steps: [
        `printf '#include <vector>\\n#include <iostream>\\nint main(){std::vector<int> v{1,2,3};int s=0;for(int x:v)s+=x;std::cout<<s<<"\\\\n";}\\n' > v.cpp && g++ -std=c++20 -o v v.cpp`,
        './v',
      ],
    },
    {
      name: 'debugger',
      needs: ['cc', 'gdb'],
      setUp: C_PROGRAM,
      steps: [
        'cc -g -Iinclude -o app src/*.c',
        'gdb -q -batch -ex "break add" -ex run -ex "print a+b" ./app 2>/dev/null | grep -F "$1"',
      ],
    },
    {
      name: 'trace',
      needs: ['cc', 'strace'],
      setUp: C_PROGRAM,
      steps: [
        'cc -Iinclude -o app src/*.c',
        'strace -f -e trace=write -o trace.txt ./app; grep -c "sum 5" trace.txt; rm trace.txt',
      ],
    },
    {
      name: 'valgrind',
      needs: ['cc', 'valgrind'],
      setUp: C_PROGRAM,
      steps: ['cc -g -Iinclude -o app src/*.c', 'valgrind -q --error-exitcode=9 ./app'],
    },
    {
      name: 'replace-running-program',
      needs: ['cc'],
      setUp: `printf '#include <unistd.h>\\nint main(void){sleep(20);return 0;}\\n' > s.c && cc -o s s.c`,
      steps: [
        { run: './s', background: true },
        "sed -i 's/20/1/' s.c && rm -f s && cc -o s s.c",
        './s; echo "exit $?"',
      ],
    },
    {
      name: 'cargo-build-and-test',
      needs: ['cc'],
      toolchains: true,
      setUp: CARGO_PROGRAM,
      steps: [
        'cargo build -q --offline && target/debug/tool',
        'cargo test -q --offline 2>&1 | grep "test result" | head -1',
        'rm -rf target; ls -A',
      ],
    },
    {
      name: 'cargo-new-and-format',
      needs: ['cc'],
      toolchains: true,
      steps: [
        'cargo new -q hello --vcs none && cd hello && cargo run -q --offline',
        'cd hello && echo "fn  f( ){ }" >> src/main.rs && cargo fmt && tail -1 src/main.rs; rm -rf target',
      ],
    },
    {
      name: 'cargo-workspace',
      needs: ['cc'],
      toolchains: true,
      setUp: `mkdir one && cd one && ${CARGO_PROGRAM} cd .. && printf '[workspace]\\nmembers = ["one"]\\nresolver = "2"\\n' > Cargo.toml`,
      steps: [
        'cargo check -q --offline && cargo metadata --offline --no-deps --format-version 1 | grep -o \'"name":"tool"\' | head -1',
        'cargo run -q --offline -p tool; rm -rf target',
      ],
    },
    {
      name: 'rustc',
      needs: ['cc'],
      toolchains: true,
      steps: [
        `echo 'fn main() { println!("{:?}", (1..4).collect::<Vec<_>>()); }' > m.rs && rustc -o m m.rs && ./m; rm m`,
        'rustc --version | cut -d" " -f1; cargo --version | cut -d" " -f1',
      ],
    },
    {
      name: 'go-build-and-test',
      needs: ['go'],
      setUp: `printf 'module example.org/m\\n\\ngo 1.19\\n' > go.mod && printf 'package main\\n\\nimport "fmt"\\n\\nfunc main() { fmt.Println(twice(21)) }\\n\\nfunc twice(x int) int { return x * 2 }\\n' > main.go && printf 'package main\\n\\nimport "testing"\\n\\nfunc TestTwice(t *testing.T) {\\n\\tif twice(2) != 4 {\\n\\t\\tt.Fail()\\n\\t}\\n}\\n' > main_test.go`,
      steps: ['go build -o m . && ./m', 'go test ./... | cut -f1,2', 'gofmt -l .; go vet ./...'],
    },
    {
      name: 'java',
      needs: ['java', 'javac', 'jar'],
      steps: [
        `mkdir -p src out && echo 'public class Hi { public static void main(String[] a) { System.out.println("hi " + a.length); } }' > src/Hi.java && javac -d out src/Hi.java && java -cp out Hi x y`,
        'jar cfe hi.jar Hi -C out . && java -jar hi.jar; rm hi.jar',
      ],
    },
  ],
};
