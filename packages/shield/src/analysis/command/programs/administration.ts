/**
 * Programs with a power of their own, by kind. One line each: kind, names, and after `:` the words
 * of which at least one must be among its arguments (`x*` for a prefix); without `:` every use
 * counts. Sources: manuals of Linux and macOS administration tools; MITRE ATT&CK techniques for
 * their misuse.
 */
export const ADMINISTRATION = `
accounts useradd adduser luseradd userdel deluser usermod groupadd addgroup groupdel delgroup groupmod gpasswd chpasswd chgpasswd newusers vipw vigr chsh chfn pwconv sysadminctl createhomedir dsimport dseditgroup dsenableroot
accounts passwd
accounts pw: useradd usermod userdel groupadd groupmod lock unlock
accounts dscl: -create -append -delete -passwd -change -merge create append delete passwd change
accounts ldapadd ldapmodify ldapdelete ldappasswd kadmin kadmin.local samba-tool smbpasswd pdbedit
accounts realm: join leave permit
accounts chage: -E* -M* -m* -d* -I* -W*
services systemctl: start stop restart reload enable disable mask unmask kill isolate daemon-reload daemon-reexec edit set-property link revert preset set-default import-environment set-environment try-restart reload-or-restart reenable rescue emergency
power systemctl: reboot poweroff halt suspend hibernate kexec
services service: start stop restart reload force-reload onestart onestop
services rc-service rc-update chkconfig update-rc.d sysrc invoke-rc.d initctl svcadm sv supervisorctl s6-svc insserv ntsysv rcctl start-stop-daemon
services launchctl: load unload bootstrap bootout enable disable submit kickstart remove start stop asuser setenv kill config
services brew: services
services pm2: startup save
services loginctl: enable-linger terminate-user terminate-session kill-user lock-sessions
services sc.exe net.exe
scheduling schtasks anacron fcrontab incrontab tcrontab
power shutdown reboot halt poweroff telinit kexec pm-suspend pm-hibernate 
power init: 0 1 6
kernel insmod rmmod modprobe kextload kextunload kextutil kextcache kmutil depmod dkms kldload kldunload bless csrutil nvram efibootmgr grub-install update-grub grub-mkconfig update-initramfs dracut mokutil kpatch bpftool
kernel sysctl: -w* --write* -p* -f* --system --load* *=*
kernel swapoff swapon zramctl
kernel setpci flashrom
firewall iptables ip6tables iptables-legacy ip6tables-legacy: -A -D -F -I -P -X -Z -R -t -N --append --delete --flush --insert --policy
firewall iptables-restore ip6tables-restore arptables ebtables ipset shorewall csf ipfw pfctl socketfilterfw
firewall nft: add delete flush insert replace -f
firewall ufw: enable disable allow deny reject delete reset insert default limit route logging
firewall firewall-cmd: --add* --remove* --set* --permanent --reload --panic-on --complete-reload --direct
firewall netsh
guard-off setenforce: 0 permissive Permissive
guard-off aa-disable aa-teardown
guard-off ufw: disable reset
guard-off iptables ip6tables iptables-legacy ip6tables-legacy: -F -X --flush --delete-chain
guard-off nft: flush
guard-off auditctl: -D
guard-off spctl csrutil: --master-disable --global-disable disable
guard-off pfctl: -d
guard-off log: erase
guard-off tmutil: disable delete deletelocalsnapshots
guard-off vssadmin wbadmin wevtutil: delete Delete cl clear-log
safeguards setenforce aa-disable aa-complain aa-teardown apparmor_parser spctl fdesetup tccutil mdatp falconctl falcon-sensor esets_daemon sophos kickstart auditctl
safeguards semanage setsebool semodule chcon
safeguards profiles: install remove -I* -R* renew
safeguards pfctl: -d
safeguards csrutil spctl: disable --master-disable --global-disable --add
safeguards defaults: com.apple.LaunchServices LSQuarantine com.apple.alf com.apple.screensaver com.apple.SoftwareUpdate /Library/Preferences/com.apple*
safeguards tmutil: disable delete deletelocalsnapshots thinlocalsnapshots removedestination addexclusion
safeguards vssadmin wbadmin bcdedit wevtutil
safeguards softwareupdate: --ignore --schedule
safeguards update-crypto-policies authselect authconfig pam-auth-update fips-mode-setup
startup defaults: LoginHook LogoutHook com.apple.loginwindow loginwindow com.apple.loginitems AutoLaunchedApplicationDictionary DYLD_INSERT_LIBRARIES LSEnvironment
startup update-alternatives alternatives: --install --set --config
startup xdg-autostart dex
startup osacompile automator
startup ldconfig: -C* -f* /tmp*
startup npm yarn pnpm: set-script
traces log: erase config
traces journalctl: --vacuum-time* --vacuum-size* --vacuum-files* --rotate --flush --relinquish-var
traces dmesg: -C --clear -c --read-clear -D --console-off -n
traces utmpdump wtmpclean zap2 logtamper
traces lastlog: -C --clear -S --set
traces faillog: -r --reset
mount mount: /* -o* -t* --bind --rbind UUID* LABEL* -a --all
mount umount losetup mount.cifs mount.nfs kpartx dmsetup hdiutil sshfs fusermount udisksctl-mount
destroy mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.ntfs mkfs.fat mke2fs mkswap wipefs blkdiscard sgdisk sfdisk cfdisk badblocks nwipe scrub newfs newfs_apfs newfs_hfs zerofree
destroy parted gparted fdisk gdisk: /dev/*
destroy diskutil: eraseDisk eraseVolume reformat zeroDisk randomDisk secureErase partitionDisk apfs
destroy cryptsetup: luksFormat luksErase erase luksRemoveKey luksKillSlot reencrypt
destroy zpool zfs: destroy create labelclear rollback
destroy lvremove vgremove pvremove lvreduce mdadm
destroy nvme: format sanitize
clock hwclock ntpdate adjtimex
clock timedatectl: set-time set-timezone set-ntp set-local-rtc
clock hwclock: -w -s --set* --systohc --hctosys
clock systemsetup: -set* -setusingnetworktime
capture tcpdump tshark dumpcap wireshark ngrep dsniff ettercap bettercap tcpflow tcpick snoop netsniff-ng kismet airodump-ng sslstrip mitmproxy mitmdump arpspoof urlsnarf sslsplit responder
capture screencapture scrot gnome-screenshot maim grim flameshot spectacle xwd import ksnapshot shutter gpu-screen-recorder wf-recorder recordmydesktop simplescreenrecorder kmsgrab
capture arecord parecord parec pw-record rec imagesnap fswebcam streamer isightcapture audiorecorder
capture xinput evtest xev logkeys showkey lkl keysniffer uberkey xspy screenkey libinput-debug-events
capture pbpaste xclip xsel wl-paste clipit: -o --output -out -b --clipboard
capture gcore procdump
memory gcore memdump avml lime fmem volatility makedumpfile mimipenguin mimipy 3snake dumpit linpmem osxpmem reptyr
scan nmap masscan zmap unicornscan hping3 hping nikto wpscan gobuster dirb dirbuster ffuf feroxbuster wfuzz sqlmap nuclei amass subfinder enum4linux enum4linux-ng smbmap crackmapexec netexec nxc rustscan onesixtyone ike-scan arp-scan netdiscover p0f dnsrecon fierce theHarvester whatweb sslscan testssl zgrab naabu responder.py nbtscan snmp-check legion
attack msfconsole msfvenom msfdb msfcli metasploit hydra medusa ncrack patator john hashcat unshadow cewl crunch aircrack-ng aireplay-ng reaver beef-xss setoolkit empire sliver-server sliver-client sliver chisel ligolo-proxy ligolo-agent evil-winrm mimikatz lazagne laZagne.py linpeas linpeas.sh lse.sh linenum.sh LinEnum.sh pspy pspy64 pspy32 linux-exploit-suggester.sh pupysh weevely commix xsser routersploit rsf impacket psexec.py wmiexec.py smbexec.py secretsdump.py GetNPUsers.py GetUserSPNs.py ntlmrelayx.py smbserver.py kerbrute bloodhound-python bloodhound rubeus dnscat dnscat2 iodine ptunnel icmpsh merlin covenant havoc villain pwncat pwncat-cs hoaxshell gs-netcat stratus pacu cloudfox trevorspray o365spray truffleHog kiterunner dnsteal sudo_killer.sh traitor deepce.sh peirates kubeletctl kube-hunter amicontained caldera tinyshell reptile diamorphine dsniff yersinia thc-ipv6 slowloris slowhttptest goldeneye t50 mdk3 mdk4
mining xmrig xmr-stak minerd cpuminer ethminer cgminer bfgminer t-rex nbminer lolMiner phoenixminer claymore nheqminer ccminer srbminer nanominer
tunnel ngrok cloudflared devtunnel localtunnel lt bore frpc frps chisel inlets zrok tailscaled gost rathole pagekite serveo sshuttle expose telebit tuntox stunnel stunnel4 udp2raw ssf shadowsocks ss-local ss-server v2ray xray trojan-go hysteria naive brook 3proxy microsocks dante sockd redsocks privoxy tor i2pd onionshare onionshare-cli smbserver.py
tunnel tailscale: up serve funnel
tunnel code code-insiders cursor: tunnel serve-web
tunnel openvpn wg-quick vpnc openconnect pppd wireguard-go
tunnel anydesk teamviewer rustdesk x11vnc vncserver tigervncserver vino-server xrdp xfreerdp rdesktop screenconnect splashtop ammyy dwagent meshagent meshcmd
listen-server miniserve darkhttpd webfsd thttpd busybox-httpd http-server serve live-server simple-http-server updog uploadserver filebrowser croc wormhole magic-wormhole ttyd gotty wetty shellinabox shellinaboxd tftpd vsftpd proftpd pure-ftpd pyftpdlib
link-config ip: add del delete set flush replace change
link-config ifconfig: up down hw ether promisc add delete netmask
link-config route: add del delete change flush
network-config nmcli: add modify delete up down connect disconnect off on
network-config networksetup: -set* -create* -remove* -add* -ordernetworkservices -switchtolocation
network-config scutil: --set --dns
link-config arp: -s -d -f
network-config resolvectl resolvconf systemd-resolve: dns revert domain -a -d --set-dns*
network-config wpa_cli airmon-ng macchanger dhclient dnsmasq
link-config tc brctl bridge ovs-vsctl vconfig iwconfig iw rfkill ifup ifdown ifenslave
trust update-ca-certificates update-ca-trust trust certutil ca-certificates
trust security: add-trusted-cert remove-trusted-cert authorizationdb set-key-partition-list create-keychain unlock-keychain delete-keychain add-certificates import
secrets security: dump-keychain find-generic-password find-internet-password find-certificate export find-identity dump-trust-settings
secrets secret-tool: lookup search
secrets pass gopass lpass bw op rbw keepassxc-cli kpcli: show get ls list export read item find grep cat fetch code
secrets kwallet-query keyctl chntpw samdump2 pwdump
secrets aws: get-secret-value assume-role get-session-token create-access-key decrypt get-login-password get-parameter get-parameters get-password-data export-credentials get-federation-token
secrets gcloud: print-access-token print-identity-token access create-key application-default
secrets az: get-access-token show-keys list-keys keyvault
secrets vault: read write token login kv operator unseal
secrets klist kinit ktutil kdestroy ticketer.py
secrets aureport: --tty
secrets hackbrowserdata chromelevator
cloud aws: create* delete* put* update* run-instances terminate-instances stop-instances start-instances modify* attach* detach* authorize* revoke* invoke send-command copy-object sync cp mv rm rb mb deregister* disable* enable* register* set* reboot* import* associate* disassociate* start* stop* tag* untag* publish send*
cloud gcloud gsutil bq: create delete update set-iam-policy add-iam-policy-binding remove-iam-policy-binding deploy ssh scp reset start stop resize attach-disk cp mv rm rsync mb rb import enable disable
cloud az: create delete update start stop restart deallocate run-command assign invoke upload upload-batch set purge attach detach enable disable
cloud doctl linode-cli hcloud vultr-cli ibmcloud oci aliyun openstack scw exo civo: create delete destroy update rebuild reset power-off shutdown reboot add remove enable disable rename resize ssh
cloud terraform tofu terragrunt pulumi cdktf: apply destroy up import taint untaint state force-unlock
cloud ansible-playbook salt chef-client knife
cloud ansible: -m --module-name -a --args
cloud puppet: apply agent
cloud serverless sls sam cdk eksctl kops rke ecs-cli copilot flux argocd velero kubeadm: deploy destroy create delete init reset join apply sync bootstrap up down remove upgrade
settings defaults: write delete import
settings gsettings dconf kwriteconfig5 xfconf-query PlistBuddy plutil: set write reset load -set -s -replace -insert Set Add
cloud vercel netlify surge firebase wrangler railway render now amplify sst deployctl gh-pages cf: deploy --prod up publish delete remove rm secret destroy --delete
publish npm pnpm yarn bun: publish unpublish deprecate owner dist-tag adduser login access
publish cargo: publish yank owner login
publish gem: push yank owner
publish twine: upload
publish poetry flit hatch uv pdm: publish
publish dotnet nuget: push
publish mvn gradle: deploy publish release:perform
publish helm oras skopeo crane regctl img ko jib dagger: push copy sync delete publish
publish goreleaser semantic-release changeset lerna np auto
publish snapcraft flatpak-builder-publish fastlane transporter altool notarytool: upload push release submit
publish gist gist-paste pastebinit termbin sprunge ix transfer 0x0 firefox-send wormhole-send ffsend
publish rclone: copy sync move copyto moveto serve mount delete purge rcat
publish restic borg duplicity kopia s3cmd s4cmd b2 azcopy s5cmd megaput mega-put mega-cmd gdrive drive dropbox dropbox_uploader.sh onedrive ipfs: put sync cp backup create upload mb rm del add push init mv copy
publish lpr lp: -H* -h*
messages wall write sendmessage talk xmpp slack-cli slackcat telegram-send telegram-cli signal-cli twurl toot t mastodon irssi weechat ii discord-cli matrix-commander twilio plivo gammu sms
trade electrum bitcoin-cli geth solana monero-wallet-cli lncli eth cast: send sendtoaddress payto broadcast transfer sendrawtransaction withdraw signtransaction importprivkey dumpprivkey dumpwallet
packages apt apt-get aptitude dnf yum zypper pacman apk emerge brew port pkg snap flatpak nala yay paru xbps-install swupd slackpkg equo opkg microdnf rpm-ostree tdnf urpmi guix nix-env pkgin pkg_add: install remove purge upgrade dist-upgrade full-upgrade autoremove -S* -R* -U* add del update reinstall downgrade autoclean erase localinstall swap tap
packages dpkg rpm: -i* --install -r* -P* -e* --purge -U* --erase -F*
packages installer: -pkg -package
packages pip pip3 pipx npm yarn pnpm gem cargo go bun conda mamba poetry uv composer luarocks cpan cpanm opam stack cabal mix nimble dub bower easy_install apm code-insiders pipenv pdm rye: install add i ci get require global update upgrade uninstall remove
processes kill killall pkill killall5 xkill skill snice fkill
namespace ip: netns
hooks incrond
anonymity tor torify torsocks
gui xdotool ydotool wtype cliclick dotool autokey xte robot pyautogui
identity hostnamectl: set-hostname hostname
identity hostname: -F -b --file
clipboard pbcopy xclip xsel wl-copy
traffic tcpreplay hping3 nping scapy packETH mausezahn trafgen
`;
