import type { Overlay } from './place.ts';

/**
 * Places with a meaning beyond their location, on Linux and macOS. One path a word: `/…` from the
 * root, `~/…` in any home, others at any depth. Includes everything below a listed place. `*`
 * stands for any one name; `*.x` for an ending. Sources: the filesystem hierarchy standard, the
 * manuals of the programs, MITRE ATT&CK's data sources.
 */
export const SENSITIVE_PLACES: readonly (readonly [overlay: Overlay, places: string])[] = [
  [
    'credentials',
    `/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/master.passwd /etc/spwd.db /etc/security/opasswd
     /etc/ssl/private /etc/pki/tls/private /etc/krb5.keytab /var/lib/sss/secrets /var/db/dslocal
     /etc/openvpn /etc/wireguard /etc/ipsec.secrets /etc/ppp/chap-secrets /etc/ppp/pap-secrets /etc/kubernetes/pki
     /etc/sudoers /etc/kubernetes/admin.conf /etc/NetworkManager/system-connections /etc/wpa_supplicant /etc/letsencrypt/live
     /etc/letsencrypt/archive /etc/letsencrypt/keys /etc/letsencrypt/accounts /etc/rancher/k3s/k3s.yaml
     /run/secrets /run/credentials /var/run/secrets /var/lib/kubelet/pki /etc/docker/key.json /etc/credstore /var/db/shadow
     /proc/*/environ /proc/*/mem /proc/kcore /proc/kmem /proc/*/maps /dev/mem /dev/kmem /windows/system32/config
     .ssh .aws .azure .gnupg .password-store .docker/config.json .kube/config .vault-token .netrc _netrc
     .pgpass .my.cnf .git-credentials .config/gcloud .config/gh/hosts.yml .config/hub .config/git/credentials
     .config/op .config/doctl .config/rclone .config/sops .config/age .config/heroku .config/glab-cli .config/helm
     .config/stripe .terraform.d/credentials.tfrc.json .oci .aliyun .bluemix .databricks .snowflake .snowsql .kaggle
     .huggingface .cache/huggingface/token .minikube .fly .gradle/gradle.properties .m2/settings-security.xml
     .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json .m2/settings.xml .boto .s3cfg
     AppData/Roaming/Microsoft/Protect 'AppData/Local/Google/Chrome/User Data'
     .local/share/keyrings .local/share/kwalletd .kde/share/apps/kwallet .config/kwalletrc Library/Keychains
     Library/Cookies Library/Safari/Cookies .mozilla/firefox .config/google-chrome .config/chromium
     .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera .thunderbird
     /Library/Keychains /System/Library/Keychains 'Library/Application Support/Google/Chrome'
     'Library/Application Support/Firefox' 'Library/Application Support/BraveSoftware'
     'Library/Application Support/Microsoft Edge' 'Library/Application Support/com.apple.TCC'
     .bitcoin .ethereum .electrum .config/solana .config/Bitwarden .config/1Password .config/keybase
     id_rsa id_dsa id_ecdsa id_ecdsa_sk id_ed25519 id_ed25519_sk logins.json key4.db key3.db signons.sqlite
     'Login Data' Cookies.binarycookies cookies.sqlite ntds.dit kubeconfig terraform.tfstate *.keychain *.keychain-db
     *.kdbx`,
  ],
  [
    'possible-credentials',
    `.env .envrc .env.* .npmrc .pypirc .htpasswd wp-config.php .dockercfg .yarnrc.yml secrets.yml secrets.yaml
     secrets.json credentials.json credentials.yml credentials.xml service-account.json client_secret.json
     *.pem *.key *.p12 *.pfx *.ppk *.jks *.keystore *.gpg-key *.ovpn unattend.xml *.token .token token.json .rhosts .remmina .config/filezilla
     .config/Slack .config/discord .config/Signal .purple .irssi /etc/exports /etc/snmp /etc/openldap /etc/samba
     /etc/mysql/debian.cnf /etc/postfix/sasl_passwd /etc/ssh/ssh_host_*`,
  ],
  [
    'private',
    `~/Documents ~/Desktop ~/Pictures ~/Downloads ~/Movies ~/Music ~/Videos ~/Mail ~/Maildir ~/mail ~/Library/Mail
     ~/Library/Messages ~/Library/Calendars ~/Library/Safari 'Library/Application Support/AddressBook'
     'Library/Mobile Documents' ~/Dropbox ~/OneDrive /var/mail /var/spool/mail ~/.local/share/evolution
     ~/.local/share/TelegramDesktop ~/.config/Signal 'Library/Group Containers' ~/Library/Containers`,
  ],
  [
    'startup',
    `/etc/cron.d /etc/cron.daily /etc/cron.hourly /etc/cron.weekly /etc/cron.monthly /etc/crontab /etc/anacrontab
     /var/spool/cron /var/spool/at /var/at /usr/lib/cron /etc/init.d /etc/rc.d /etc/rc.local /etc/rc.common /etc/rc.conf
     /etc/inittab /etc/init /etc/systemd /lib/systemd /usr/lib/systemd /usr/local/lib/systemd /run/systemd
     /etc/profile /etc/profile.d /etc/bash.bashrc /etc/bashrc /etc/bash_completion.d /etc/zshrc /etc/zshenv
     /etc/zprofile /etc/zsh /etc/csh.cshrc /etc/csh.login /etc/environment /etc/xdg/autostart /etc/X11/Xsession.d
     /etc/update-motd.d /etc/apt/apt.conf.d /etc/yum/pluginconf.d /etc/dnf/plugins /usr/lib/python3/dist-packages
     /etc/udev /lib/udev /usr/lib/udev /etc/modules /etc/modules-load.d /etc/modprobe.d /etc/NetworkManager/dispatcher.d
     /etc/network/if-up.d /etc/dhcp/dhclient-exit-hooks.d /etc/logrotate.d /etc/ld.so.preload /etc/ld.so.conf
     /etc/ld.so.conf.d /etc/binfmt.d /etc/rsyslog.d /etc/emond.d /private/var/db/emondClients /var/db/emondClients
     /etc/periodic /etc/launchd.conf /etc/grub.d /boot /etc/default/grub /etc/initramfs-tools /etc/dracut.conf.d
     /Library/LaunchAgents /Library/LaunchDaemons /Library/StartupItems /System/Library/LaunchAgents
     /System/Library/LaunchDaemons /Library/Extensions /System/Library/Extensions Library/LaunchAgents
     Library/LaunchDaemons Library/Preferences/ByHost Library/Preferences/com.apple.loginitems.plist
     Library/Preferences/com.apple.loginwindow.plist /Library/Preferences/com.apple.loginwindow.plist
     '/Library/Application Support/com.apple.backgroundtaskmanagementagent' Library/Scripts /Library/Scripts
     /Library/Security/SecurityAgentPlugins /etc/authorization
     .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
     .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .shrc .inputrc .config/fish .pam_environment
     .config/environment.d .config/autostart .config/autostart-scripts .config/systemd .local/share/systemd
     .config/plasma-workspace .config/upstart .xprofile .xinitrc .xsession .xsessionrc .Xresources
     .local/share/applications .local/share/dbus-1 .config/lxsession .config/openbox/autostart
     .git/hooks .git/config .gitconfig .config/git .husky .githooks .pre-commit-config.yaml
     .vimrc .gvimrc .exrc .nvimrc .vim/plugin .vim/autoload .config/nvim .emacs .emacs.d .config/emacs .gdbinit
     .lldbinit .pythonrc .config/pip .pip/pip.conf .irbrc .pryrc .Rprofile .psqlrc .sqliterc .mailcap .screenrc
     .tmux.conf .config/tmux .curlrc .wgetrc .direnvrc sitecustomize.py usercustomize.py .config/mise
     *.pth .vscode/tasks.json .vscode-server .github/workflows .gitlab-ci.yml .circleci Jenkinsfile .forward .procmailrc
     .k5login .hushlogin .ssh/rc .ssh/config .ssh/authorized_keys .ssh/authorized_keys2 .mozilla/native-messaging-hosts`,
  ],
  [
    'commands',
    `/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin ~/bin ~/.local/bin ~/.cargo/bin /opt/homebrew/bin`,
  ],
  [
    'caches',
    `~/.cache ~/.npm ~/.yarn ~/.pnpm-store ~/.local/share/pnpm ~/.bun/install ~/.cargo/registry ~/.cargo/git ~/go/pkg
     ~/.gradle/caches ~/.m2/repository ~/.nuget/packages ~/.ccache ~/.node-gyp ~/.composer/cache ~/.ivy2/cache
     ~/.pub-cache`,
  ],
  [
    'security',
    `/etc/sudoers /etc/sudoers.d /etc/pam.d /etc/pam.conf /etc/security /etc/ssh /etc/selinux /etc/apparmor
     /etc/apparmor.d /etc/polkit-1 /usr/share/polkit-1 /etc/doas.conf /etc/login.defs /etc/nsswitch.conf
     /etc/audit /etc/auditd.conf /etc/audisp /etc/libaudit.conf /etc/rsyslog.conf /etc/syslog.conf /etc/syslog-ng
     /etc/newsyslog.conf /etc/logrotate.conf /etc/systemd/journald.conf /etc/hosts /etc/hosts.allow /etc/hosts.deny
     /etc/hosts.equiv /etc/resolv.conf /etc/iptables /etc/nftables.conf /etc/ufw /etc/firewalld /etc/pf.conf
     /etc/pf.anchors /etc/fail2ban /etc/sysctl.conf /etc/sysctl.d /etc/fstab /etc/ssl/certs /etc/pki
     /usr/local/share/ca-certificates /usr/share/ca-certificates /etc/ca-certificates /etc/ca-certificates.conf
     /etc/securetty /etc/shells /etc/krb5.conf /etc/ldap.conf /etc/sssd /etc/aide /etc/tripwire /etc/samhain
     /etc/ossec /var/ossec /etc/falco /etc/osquery /opt/CrowdStrike /opt/carbonblack /Library/CS /usr/lib/security
     /lib/security /lib64/security /usr/lib64/security /usr/lib/pam /usr/local/lib/pam /etc/apt/trusted.gpg.d
     /etc/apt/sources.list /etc/apt/sources.list.d /etc/yum.repos.d /etc/docker/daemon.json
     /Library/Preferences/com.apple.alf.plist /var/db/auth.db /var/db/SystemPolicy /etc/proxychains.conf
     /etc/dnsmasq.conf /etc/dnsmasq.d /etc/gai.conf /etc/networks /var/lib/selinux`,
  ],
  ['accounts', `/etc/passwd /etc/passwd- /etc/group /etc/group- /etc/subuid /etc/subgid /etc/opendirectoryd`],
  [
    'logs',
    `/var/log /var/audit /var/adm /var/run/utmp /run/utmp /run/log /Library/Logs ~/Library/Logs /var/account
     /var/lib/systemd/coredump /private/var/log`,
  ],
  [
    'history',
    `.bash_history .zsh_history .sh_history .ash_history .ksh_history .history .python_history .mysql_history
     .psql_history .sqlite_history .rediscli_history .node_repl_history .lesshst .viminfo .local/share/fish/fish_history
     .histfile .zsh_sessions .bash_sessions`,
  ],
  [
    'devices',
    `/dev/sd* /dev/hd* /dev/vd* /dev/xvd* /dev/nvme* /dev/disk* /dev/rdisk* /dev/mmcblk* /dev/mapper /dev/dm-*
     /dev/md* /dev/loop* /dev/mtd* /dev/port /dev/input /dev/uinput /dev/video* /dev/snd /dev/kmsg`,
  ],
  [
    'kernel',
    `/proc/sys /proc/sysrq-trigger /sys/kernel /sys/fs/cgroup /sys/module /sys/firmware /sys/class
     /sys/bus /sys/devices /proc/*/oom_adj /proc/*/oom_score_adj /proc/self/attr /lib/modules /usr/lib/modules`,
  ],
  [
    'sockets',
    `/var/run/docker.sock /run/docker.sock /run/containerd /run/podman /run/user/*/podman /run/crio /var/run/crio
     /run/dbus/system_bus_socket /run/snapd.socket /tmp/.X11-unix /run/libvirt /run/lxd.socket`,
  ],
  ['hooks', '.git/hooks'],
  ['own', `.bulkhead .config/bulkhead .local/share/bulkhead .local/state/bulkhead .bulkhead-scratch`],
];
