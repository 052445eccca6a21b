import type { Group } from '../piece.ts';

const TREE = `
mkdir -p tree/bin tree/doc
echo run > tree/bin/run && chmod 755 tree/bin/run
echo doc > tree/doc/a.txt && chmod 640 tree/doc/a.txt
ln -s ../doc/a.txt tree/bin/link
ln tree/doc/a.txt tree/doc/b.txt
touch -d 2020-01-02 tree/doc/* tree/bin/run
`;
const FOREIGN = `${TREE} chown -R 1000:1000 tree && tar cf foreign.tar tree && rm -r tree`;

export const ARCHIVES: Group = {
  name: 'archives',
  title: 'archives and copies that keep modes, times and owners',
  pieces: [
    {
      name: 'tar',
      setUp: TREE,
      steps: [
        'tar cf t.tar --mtime=@0 --sort=name tree && tar tvf t.tar | cut -c1-10',
        'mkdir out && tar xf t.tar -C out && ls -R out',
      ],
    },
    {
      name: 'tar-gz',
      setUp: TREE,
      steps: [
        'tar czf t.tgz tree && rm -r tree && tar xzf t.tgz',
        'gzip -l t.tgz | wc -l; stat -c "%a %Y" tree/doc/a.txt; rm t.tgz',
      ],
    },
    {
      name: 'tar-xz-zstd',
      needs: ['xz', 'zstd'],
      setUp: TREE,
      steps: [
        'tar cJf t.txz tree && tar --zstd -cf t.tzst tree && tar tJf t.txz | sort',
        'rm -r tree && tar --zstd -xf t.tzst && cat tree/bin/run; rm t.*',
      ],
    },
    {
      name: 'tar-of-another-owner',
      as: 'root',
      setUp: FOREIGN,
      steps: ['tar xf foreign.tar', 'stat -c "%u:%g %n" tree/bin/run'],
    },
    {
      name: 'tar-of-another-owner-as-user',
      as: 'user',
      setUp: `${TREE} tar cf t.tar --owner=1234 --group=1234 tree; rm -r tree`,
      steps: ['tar xf t.tar', 'cat tree/doc/a.txt; tar tvf t.tar | head -1 | cut -d" " -f2'],
    },
    {
      name: 'tar-numeric-owner',
      as: 'root',
      setUp: FOREIGN,
      steps: [
        'mkdir o && tar --numeric-owner -xpf foreign.tar -C o && ls -ln o/tree/bin | awk "{print \\$3,\\$4}"',
      ],
    },
    {
      name: 'tar-create-with-owner',
      setUp: TREE,
      steps: [
        'tar cf t.tar --owner=77 --group=88 --mtime=@0 --sort=name tree; tar tvf t.tar --numeric-owner | cut -d" " -f2 | sort -u',
        'tar xf t.tar --no-same-owner -C . && ls tree',
      ],
    },
    {
      name: 'cp-archive',
      setUp: TREE,
      steps: [
        'cp -a tree copy',
        'stat -c "%a %Y %h" copy/doc/b.txt; readlink copy/bin/link; diff -r tree copy && echo equal',
      ],
    },
    {
      name: 'cp-archive-of-another-owner',
      as: 'root',
      setUp: `${TREE} chown -R 1000:1000 tree`,
      steps: ['cp -a tree copy', 'stat -c "%u:%g" copy/bin/run; echo more >> tree/doc/a.txt'],
    },
    {
      name: 'change-file-of-another-owner',
      as: 'root',
      setUp: `${TREE} chown 1000:1000 tree/doc/a.txt tree/bin/run`,
      steps: [
        'echo changed > tree/bin/run; sed -i s/doc/DOC/ tree/doc/a.txt',
        'cat tree/bin/run tree/doc/a.txt',
      ],
    },
    {
      name: 'chown',
      as: 'root',
      setUp: TREE,
      steps: [
        'chown -R 1000:1000 tree',
        'stat -c "%u:%g" tree/doc; chown root tree/bin/run; install -o 1000 -g 1000 -m 600 tree/bin/run installed',
      ],
    },
    {
      name: 'id-and-umask',
      steps: ['id -u; id -un; whoami; id -gn', 'umask; umask 027; touch u; mkdir d; stat -c %a u d'],
    },
    {
      name: 'zip',
      needs: ['zip', 'unzip'],
      setUp: TREE,
      steps: [
        'zip -qr t.zip tree && unzip -l t.zip | tail -1 | awk "{print \\$2}"',
        'mkdir out && unzip -q t.zip -d out && ls -R out; rm t.zip',
      ],
    },
    {
      name: 'unzip-over-existing',
      needs: ['zip', 'unzip'],
      setUp: `${TREE} zip -qr t.zip tree; echo newer > tree/bin/run`,
      steps: [
        'unzip -oq t.zip && cat tree/bin/run',
        'zip -qd t.zip tree/bin/run; unzip -l t.zip | grep -c bin; rm t.zip',
      ],
    },
    {
      name: 'tar-over-existing',
      setUp: `${TREE} tar cf t.tar tree; echo newer > tree/bin/run; echo extra > tree/extra`,
      steps: ['tar xf t.tar && cat tree/bin/run tree/extra', 'tar xf t.tar --strip-components=1 && ls'],
    },
    {
      name: 'cpio',
      needs: ['cpio'],
      setUp: TREE,
      steps: [
        'find tree -depth | cpio -o -H newc --quiet > t.cpio && rm -r tree && cpio -id --quiet < t.cpio && ls -R tree; rm t.cpio',
      ],
    },
    {
      name: 'rsync',
      needs: ['rsync'],
      setUp: TREE,
      steps: [
        'rsync -a tree/ mirror/',
        'rm tree/doc/b.txt; rsync -a --delete --itemize-changes tree/ mirror/; ls mirror/doc',
      ],
    },
    {
      name: 'debian-package',
      needs: ['dpkg-deb'],
      setUp: `${TREE} mkdir -p tree/DEBIAN && printf 'Package: demo\\nVersion: 1\\nArchitecture: all\\nMaintainer: x <x@example.org>\\nDescription: demo\\n' > tree/DEBIAN/control`,
      steps: [
        'SOURCE_DATE_EPOCH=0 dpkg-deb --root-owner-group -b tree demo.deb | sed "s/.*building/building/"',
        'dpkg-deb -c demo.deb | awk "{print \\$1,\\$2}"; dpkg-deb -x demo.deb out && ls -R out',
      ],
    },
    {
      name: 'hard-linked-backup',
      setUp: TREE,
      steps: [
        'cp -al tree backup',
        'stat -c %h tree/bin/run; echo x > new && mv new tree/bin/run; cat backup/bin/run',
      ],
    },
  ],
};
