import type { Group } from '../piece.ts';

export const HOME: Group = {
  name: 'home',
  title: 'temporary files, home, caches and system facts across commands',
  pieces: [
    {
      name: 'file-in-tmp',
      steps: [
        'echo kept > /tmp/workbench-{{port}}.txt',
        'cat /tmp/workbench-{{port}}.txt; rm -f /tmp/workbench-{{port}}.txt',
      ],
    },
    {
      name: 'mktemp',
      steps: [
        'd=$(mktemp -d) && echo x > $d/x && cp $d/x . && rm -r $d; cat x',
        't=$(mktemp); sort x > $t && mv $t sorted; cat sorted; stat -c %a sorted',
      ],
    },
    {
      name: 'mktemp-across',
      steps: [
        'mktemp -d > where; echo inside > $(cat where)/f',
        'cat $(cat where)/f; rm -r $(cat where); rm where',
      ],
    },
    {
      name: 'temporary-folder-variable',
      steps: [
        'cd "${TMPDIR:-/tmp}" && touch mine-{{port}} && ls mine-{{port}}',
        'rm "${TMPDIR:-/tmp}/mine-{{port}}" && echo removed',
      ],
    },
    {
      name: 'other-temporary-places',
      steps: [
        'echo s > /dev/shm/workbench-{{port}} && echo v > /var/tmp/workbench-{{port}}',
        'cat /dev/shm/workbench-{{port}} /var/tmp/workbench-{{port}}; rm -f /dev/shm/workbench-{{port}} /var/tmp/workbench-{{port}}',
      ],
    },
    {
      name: 'file-in-home',
      steps: [
        'echo note > ~/note.txt; mkdir -p ~/.config/demo && echo k=1 > ~/.config/demo/rc',
        'cat ~/note.txt ~/.config/demo/rc',
      ],
    },
    {
      name: 'cache-in-home',
      steps: [
        'mkdir -p ~/.cache/demo && seq 100 > ~/.cache/demo/data && echo miss',
        '[ -s ~/.cache/demo/data ] && echo hit || echo miss',
      ],
    },
    {
      name: 'tool-in-home',
      setUp:
        'mkdir -p ~/.local/bin && printf "#!/bin/sh\\necho my tool $1\\n" > ~/.local/bin/mytool && chmod +x ~/.local/bin/mytool',
      steps: ['mytool one', 'command -v mytool > /dev/null && echo found; ~/.local/bin/mytool two'],
    },
    {
      name: 'tool-put-into-home',
      steps: [
        'mkdir -p ~/bin && printf "#!/bin/sh\\necho fresh\\n" > ~/bin/fresh && chmod +x ~/bin/fresh',
        '~/bin/fresh; PATH=~/bin:$PATH fresh',
      ],
    },
    {
      name: 'settings-in-home',
      setUp: 'printf "set number\\n" > ~/.vimrc; mkdir -p ~/.config/git; echo "*.swp" > ~/.config/git/ignore',
      needs: ['git'],
      steps: ['git init -q . && touch a.swp b && git status --short', 'cat ~/.vimrc'],
    },
    {
      name: 'global-git-settings',
      needs: ['git'],
      steps: [
        'git config --global alias.hi "!echo hi" && git config --global user.signingkey x',
        'git hi; git config --global --get user.signingkey',
      ],
    },
    {
      name: 'who-am-i',
      steps: [
        'whoami; id -un; echo "$(id -u):$(id -g)"; [ -w . ] && echo writable',
        'echo ~ | grep -c /; [ -d ~ ] && echo there; getent passwd $(id -u) | cut -d: -f1',
      ],
    },
    {
      name: 'user-variables',
      steps: [
        'echo "${USER:-none} ${LOGNAME:-none} ${SHELL:-none}"',
        'echo "$LANG"; locale charmap; [ -n "$PATH" ] && echo path',
      ],
    },
    {
      name: 'packages-of-the-system',
      needs: ['dpkg'],
      steps: [
        'dpkg -s bash | grep -E "^(Package|Status)"; dpkg -l bash | tail -1 | cut -c1-2',
        'dpkg -S /bin/bash | cut -d: -f1; cat /etc/debian_version | wc -l; . /etc/os-release; echo $ID',
      ],
    },
    {
      name: 'package-lists',
      needs: ['apt-cache'],
      steps: [
        'apt-cache policy bash | grep Installed | wc -l',
        'apt list --installed 2>/dev/null | grep -c "^bash/"',
      ],
    },
    {
      name: 'manual-pages',
      needs: ['man'],
      steps: [
        'man -w ls > /dev/null 2>&1; echo $?',
        'ls --help | head -1; info --version 2>/dev/null | head -1; help cd | head -1',
      ],
    },
    {
      name: 'time-zones-and-locales',
      steps: [
        'TZ=Asia/Tokyo date -d @0 +%H:%M; ls /usr/share/zoneinfo/Europe/Oslo',
        "LC_ALL=C sort <<< $'b\\nA\\na'; date -d @86400 +%A",
      ],
    },
    {
      name: 'certificates',
      needs: ['openssl'],
      steps: [
        'ls /etc/ssl/certs | head -1 | wc -l; openssl version -d | cut -d: -f1',
        'openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=localhost -days 1 2>/dev/null; openssl x509 -in cert.pem -noout -subject; rm key.pem cert.pem',
      ],
    },
    {
      name: 'machine-facts',
      steps: [
        'uname -s; nproc; [ -r /proc/meminfo ] && echo memory; df . | wc -l',
        'hostname | wc -l; getent hosts localhost | wc -l; cat /etc/hosts | grep -c localhost',
      ],
    },
    {
      name: 'key-of-ones-own',
      needs: ['ssh-keygen'],
      steps: [
        'ssh-keygen -q -t ed25519 -N "" -C demo -f ./deploy && ssh-keygen -l -f deploy.pub | cut -d" " -f1',
        'ls; rm deploy deploy.pub',
      ],
    },
  ],
};
