/**
 * The only table that turns effects into findings. Every matching row counts; the worst decides.
 * Allowed: effects that the box stops or the chronicle can undo. Not allowed: sending, disclosing,
 * persisting, and running foreign text as code.
 *
 * Columns: rule | verbs | conditions, all of which must hold | permissive, default and strict (`-`
 * allows, `refuse` blocks what was not asked for and asks about what was) | beginnings of words by
 * which a user's own request asks for it (`-`: no words do) | the rest of a sentence that begins
 * with the command.
 */
export const EFFECT_TABLE = `
# Foreign or hidden text becomes code.
foreign-code | evaluate | kind!=patch label=downloaded | block block block | - | would run what it downloads ({})
foreign-code | execute | label=downloaded | block block block | - | would run what it downloads ({})
foreign-code | evaluate | kind=foreign-code,network-code | ask block block | - | would run code that comes over the network ({})
foreign-patch | evaluate | kind=patch label=downloaded | ask block block | - | would put downloaded changes into the project ({})
hidden-code | evaluate execute | label=decoded | block block block | - | would run what it decodes first ({})
hidden-code | evaluate | kind=hidden-code | ask block block | - | would run code that is hidden in an encoding ({})
network-shell | evaluate | kind=network-shell | block block block | - | would give a shell to another machine ({})
preloaded-code | evaluate | kind=preload | ask ask block | - | would load a library into other programs ({})
executing-option | evaluate | kind=option,variable | ask ask block | - | makes a program run another by an option or a setting ({})
executing-option | evaluate | kind=own-setting unboxed | ask ask block | - | makes a program run another by a setting of yours ({})
computed-code | evaluate | kind=computed | ask ask block | - | would run text that is only known when it runs ({})
computed-command | compute | - | - ask block | - | would run a command whose name is only known when it runs ({})
own-code | evaluate | kind=own-code | - ask ask | - | would evaluate text as code ({})
interactive-shell | evaluate | kind=interactive | - - ask | - | would start a shell that waits for input ({})
unparsed | evaluate | kind=unparsed | ask ask block | - | could not be parsed ({})
over-budget | evaluate | kind=over-budget | ask ask block | - | is too large to be judged ({})
no-command | evaluate | kind=prose | ask ask block | - | is a description, not a command ({})
harmful-description | evaluate | kind=harmful-prose | block block block | - | is a description of harm, not a command ({})
no-command | evaluate | kind=sentence | ask block block | - | is a description, not a command ({})
temporary-program | execute | zone=temporary | - ask ask | - | would run a file from a temporary folder ({})
unknown-program | execute | kind=unknown-program | - - ask | - | runs a program that is not known ({})
outside-program | execute | zone=home,elsewhere,unknown | - - ask | - | would run a file outside the working folder ({})
# Data leaves.
secrets-sent | send connect | label=secret | block block block | - | would send credentials away ({})
private-data-sent | send connect | label=private,accounts | ask block block | - | would send private data away ({})
database-sent | send connect | label=store | ask refuse block | SEND | would send a whole database away ({})
host-data-sent | send | kind=body,address,stream,device,code,mail,transfer label=host | ask block block | - | would send facts about this machine away ({})
environment-sent | send | label=environment | ask ask block | - | would send values of the environment away ({})
data-sent | send | kind=body,copy,transfer,stream,device,push,publish,forge,mail | ask ask block | SEND | would send data to another machine ({})
data-sent | send | kind=loopback | - - ask | SEND | would send data to a server of its session ({})
data-sent | send | kind=loopback connected | ask ask block | SEND | would send data, perhaps to another machine ({})
data-sent | send | kind=code,access | - ask block | - | uses the network from inline code ({})
history-rewritten | send | kind=push-forced | ask refuse block | force overwrite rewrite rewrote replace rebase amend squash delete prune mirror | would overwrite what others see ({})
remote-shell | connect | kind=remote-shell | ask ask block | REMOTE | would act on another machine ({})
listens | listen | kind=tunnel | ask refuse block | REMOTE expose share public | would open a way into this machine ({})
listens | listen | kind!=files,tunnel | ask ask block | - | would let others connect to this machine ({})
listens | listen | kind=files zone=working | - - block | - | would let others connect to this machine ({})
listens | listen | kind=files zone=temporary,home,system,root,elsewhere,unknown | ask ask block | - | would let others connect to this machine ({})
remote-copy | fetch | kind=copy | - ask ask | send upload push post put copy copie transfer sync publish deploy mirror backup back_up rsync scp mail submit synchron move archive ssh remote server host log_in login connect machine forward tunnel download fetch get | would copy from another machine ({})
remote-copy | fetch | kind=copy | - ask ask | SEND REMOTE download fetch get | would copy from another machine ({})
download | fetch | - | - - ask | - | would download ({})
# Secrets are disclosed or gathered.
credentials-read | read | kind!=key-use,encrypt,mention overlay=credentials | ask block block | - | would read credentials ({})
credentials-read | read | kind=mention overlay=credentials | - ask block | - | names credentials to a program ({})
credentials-read | read | kind!=key-use,encrypt,run,mention zone=home,system,elsewhere,root,unknown,temporary overlay=possible-credentials | - ask block | - | would read what may be credentials ({})
credentials-gathered | read | kind=archive,upload overlay=credentials,possible-credentials | ask block block | - | would gather credentials ({})
credentials-searched | search | kind=secrets zone=root,home,system,unknown,elsewhere | - ask ask | - | would look for credentials ({})
secrets-kept | write | zone=temporary,system,home,elsewhere,unknown label=secret | ask block block | - | would put credentials into another file ({})
accounts-kept | write | zone=temporary,home,elsewhere,unknown label=accounts | - ask ask | - | would put the list of accounts into another file ({})
private-data-read | read | kind=archive,copy,upload overlay=private | - ask ask | - | would gather private data ({})
history-read | read | overlay=history | - ask block | - | would read the history of commands ({})
environment-shown | disclose | kind=environment | - - ask | - | would show all values of the environment ({})
environment-searched | disclose | kind=secrets | - ask ask | - | would look for secrets among the values of the environment ({})
environment-shown | disclose | kind=output label=secret | - ask block | - | would show credentials
own-files | read write delete change | overlay=own | block block block | - | would touch files of Bulkhead itself ({})
memory-read | read | kind!=mention overlay=devices | - ask block | disk image dd device drive partition mbr | would read a disk or memory itself ({})
# It would survive.
hooks-changed | write change | zone=working overlay=hooks | block block block | - | would change what git runs automatically: do it yourself ({})
persistence | write change | zone=working overlay=startup | ask ask block | - | would change a file that is run or obeyed automatically ({})
persistence | write change | zone=system,root,home,elsewhere,temporary,unknown overlay=startup | ask refuse block | WRITE MODE LATER | would change a file that is run or obeyed automatically ({})
security-settings | write | overlay=security,accounts | ask refuse block | WRITE MODE REMOVE ACCESS | would change who may do what ({})
security-settings | change delete | overlay=security,accounts,startup | ask refuse block | WRITE MODE REMOVE ACCESS LATER | would change security settings or programs ({})
security-settings | change delete | zone=root,system,elsewhere,temporary,unknown,working overlay=commands | ask refuse block | WRITE MODE REMOVE ACCESS LATER | would change security settings or programs ({})
security-settings | change delete | zone=home overlay=commands unboxed | ask refuse block | WRITE MODE REMOVE ACCESS LATER | would change security settings or programs ({})
credentials-changed | write change delete | kind!=mode,make overlay=credentials | ask refuse block | WRITE MODE REMOVE ACCESS | would change credentials ({})
programs-replaced | write | zone=root,system,elsewhere,temporary,unknown,working overlay=commands | - ask block | WRITE | would change programs ({})
programs-replaced | write | zone=home overlay=commands unboxed | - ask block | WRITE | would change programs ({})
kernel-settings | write | overlay=kernel,sockets | ask refuse block | WRITE kernel parameter enable disable turn | would change the running system ({})
device-written | write delete change | overlay=devices | ask refuse block | WRITE REMOVE MODE disk device drive partition image usb format | would write to a device ({})
privilege-given | change | kind=privilege | ask refuse block | MODE suid sgid setuid setgid sticky bit capabilit privilege | would let a program run as another user ({})
access-opened | change | kind=open zone=system,root,home,working,elsewhere,temporary,unknown | - refuse block | MODE everyone everybody world public share | would let everyone write ({})
access-opened | change | kind=open zone=system,root | ask block block | - | would let everyone write in system places ({})
owner-changed | change | kind=owner-root zone=temporary,working | - ask ask | MODE | would give a file to the superuser ({})
disguised-file | write | kind=disguised | - ask ask | - | would make a file whose name is made to be overlooked ({})
disguised-program | write | zone=temporary,home,working,elsewhere label=program | - ask ask | - | would copy a system program to another place ({})
privileged-searched | search | kind=privileged zone=root,system | - ask ask | suid sgid setuid setgid set_uid set_gid set_user set_group permission sticky bit privilege file | would look for programs that run as another user ({})
attribute-set | change | kind=attribute | - ask ask | MODE | would hide a file or lock it ({})
time-forged | change | kind=time zone=system,temporary | - ask ask | time date timestamp touch modif | would change the time of a file ({})
system-change | change | kind=mode,owner zone=system,root | - ask ask | MODE | would change a system place ({})
traces-removed | delete | kind!=move overlay=logs,history | ask refuse block | REMOVE rotate truncate | would remove traces of what was done ({})
traces-removed | write | kind=write overlay=logs,history | ask refuse block | WRITE REMOVE log | would overwrite traces of what was done ({})
traces-removed | delete write change | overlay=logs,history | ask ask block | - | would change or remove traces of what was done ({})
# Loss.
destruction | delete | kind=recursive,single zone=root,system,home,elsewhere wide | block block block | - | would delete all of {}
destruction | delete | kind=found zone=root wide | ask ask block | - | would delete files anywhere ({})
destruction | change | kind=mode,owner zone=root wide | ask ask block | - | would change all of {}
project-lost | delete | kind=recursive zone=working wide | - ask ask | - | would delete the whole working folder ({})
system-delete | delete | kind!=found,move zone=system,root | - ask ask | REMOVE | would delete outside the working folder ({})
system-delete | delete | kind!=found,move zone=unknown unboxed | - ask ask | REMOVE | would delete outside the working folder ({})
system-delete | delete | kind=found,move zone=system,root | - ask ask | REMOVE move rename | would delete in a system place ({})
home-delete | delete | kind=recursive zone=home overlay!=caches | ask refuse block | REMOVE | would delete a folder of the home and all in it ({})
wiped | delete | kind=wipe | - ask ask | REMOVE shred overwrite secure destroy | would delete so that nothing can be restored ({})
private-data-lost | delete | overlay=private | - ask ask | REMOVE | would delete private data ({})
system-write | write | zone=system,root | - ask ask | WRITE | would write in a system place ({})
outside-write | write delete change | zone=home,elsewhere,unknown | - - ask | - | would change something outside the working folder ({})
# Powers of their own.
accounts | administer | kind=accounts,identity | ask refuse block | user account group password login shell member host benutzer konto passwort utilisateur usuario | would change accounts ({})
services | administer | kind=services-unknown | ask block block | - | would stop services that are only known when it runs ({})
services | administer | kind=services | - ask block | start stop restart enable disable service reload mask | would change services ({})
scheduling | administer | kind=scheduling,startup | ask refuse block | LATER | would have something run later ({})
kernel | administer | kind=kernel | ask refuse block | kernel module driver load unload sysctl parameter swap boot firmware set enable disable | would change the running system ({})
safeguards | administer | kind=guard-off | ask refuse block | disable deactivate turn switch stop flush clear reset delete remove erase firewall selinux | would switch off what guards or records this machine ({})
safeguards | administer | kind=traces | ask ask block | - | would weaken safeguards or remove traces ({})
safeguards | administer | kind=safeguards,firewall,trust,hooks | ask refuse block | firewall iptables rule port selinux apparmor certificate trust history log trap signal attribute quarantine gatekeeper backup policy allow block enable disable | would weaken safeguards or remove traces ({})
power | administer | kind=power | ask ask block | shut reboot restart halt power suspend turn_off | would stop the machine ({})
disks | administer | kind=destroy,mount | - ask block | mount unmount umount format partition filesystem file_system swap | would change disks ({})
clock | administer | kind=clock | - ask block | date time clock | would change the clock ({})
capture | administer | kind=capture | ask refuse block | CAPTURE | would record input, screen, sound or traffic ({})
secrets-shown | administer | kind=secrets,memory,metadata | ask refuse block | password secret token key credential keychain vault login ticket memory core debug attach process passwort schlüssel | would show keys, passwords or tokens ({})
metadata-service | administer | kind=metadata | block block block | - | would ask the machine’s provider for credentials ({})
attack-tools | administer | kind=attack,scan,mining,traffic | ask refuse block | scan port network host crack penetration pentest vulnerab brute mine replay packet connect check reachable open listen | uses a tool made to attack or scan ({})
tunnel | administer | kind=listen-server | ask ask block | - | would open a way into or out of this machine ({})
tunnel | administer | kind=tunnel,anonymity | ask refuse block | REMOTE SEND expose share public serve vpn tor proxy anonym desktop | would open a way into or out of this machine ({})
link-settings | administer | kind=link-config | - - block | - | would change addresses or routes ({})
network-settings | administer | kind=network-config | - ask block | interface address route network dns wifi mac up down mtu ip promisc | would change the network ({})
cloud | administer | kind=cloud,cluster,cluster-shell,publish,messages,trade | ask ask block | - | would change something that others see or pay for ({})
container-escape | administer | kind=escape | ask refuse block | privileged host device socket capabilit docker container | would open a container to this machine ({})
root-shell | administer | kind=root-shell | - - block | - | would start a shell as another user ({})
namespaces | administer | kind=namespace,privilege | - ask block | chroot namespace unshare root | would run in another root or namespace ({})
data-destruction | administer | kind=data-destruction,rewrite | ask refuse block | REMOVE drop truncate destroy reset rewrite filter history migrat | would delete data for good ({})
discard | administer | kind=discard zone=working | - - ask | - | would discard work that is not committed ({})
discard | administer | kind=discard zone=temporary,home,system,root,elsewhere,unknown | - ask ask | - | would discard work that is not committed ({})
discard | administer | kind=unversioned | - ask ask | - | would delete files that no commit holds ({})
foreign-packages | administer | kind=packages-foreign | - ask block | install extension | would install code from elsewhere ({})
packages | administer | kind=packages | - - ask | install update upgrade package remove | would change installed packages ({})
processes | administer | kind=processes,container-shell,container-removal,container-removal,scheduling-editor,clipboard | - - ask | - | acts on other programs ({})
settings | administer | kind=settings | - ask ask | set change enable disable default show preference | would change settings of the desktop ({})
gui | administer | kind=gui | ask ask block | - | would act in your place on the desktop ({})
`;

/** Words that ask for ordinary effects, by their name in the table. */
export const REQUEST_WORDS: Readonly<Record<string, string>> = {
  SEND: 'send upload push post put copy copie transfer sync publish deploy mirror backup back_up rsync scp mail submit move archive',
  REMOTE: 'ssh remote server host log_in login connect machine forward tunnel',
  REMOVE: 'delete remove clean purge erase clear discard prune wipe empty',
  WRITE:
    'write save create make copy move edit change replace add append install link update set put modify rename symlink symbolic touch extract unpack output redirect insert comment rotate compress truncate overwrite uncompress unzip archive decompress mount store merge substitute',
  LATER:
    'cron schedul daily hourly weekly monthly minute hour day every later timer remind job boot start login logon automatic periodic recurring regular alias profile bashrc zshrc environment variable service daemon hook zeitplan täglich',
  ACCESS:
    'sudo ssh pam key host dns resolve firewall certificate login authori known account user group config setting',
  CAPTURE:
    'clipboard screenshot screen capture packet record sound audio microphone camera traffic sniff monitor input dump interface',
  MODE: 'permission chmod mode owner group access writable executable recursive chown attribute',
};
