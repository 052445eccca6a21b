import { POWERFUL_PROGRAMS } from './powerful-programs.ts';
import { type ProgramTable, programTable } from './program.ts';

/**
 * Programs whose operands are files or irrelevant here. One line a program: names, role, options
 * with the use of their values. Only options with a value, or that the role needs, are listed.
 * Sources: the manuals of GNU coreutils, findutils, BSD and macOS.
 */
const EVERYDAY_PROGRAMS = programTable(`
cat,gcat,tac,nl,zcat,gzcat,bzcat,xzcat,lzcat,zstdcat,less,more,zless,most,bat,batcat,pr,expand,unexpand,fmt,vis,rev,strings,shuf,tsort,column,hexdump,hd,od,xxd,iconv,look,uniq,comm,join,paste,fold,csplit,ul,ptx,spell,highlight,pygmentize,glow,mdcat,catv,dos2unix,unix2dos,base32,basenc,uuencode,b64encode,sdiff,vimdiff,colordiff,ccat transform -w=value -n=value -s=value -c=value -f=value -b=value -d=value -D=value -t=value -l=value -o=value -A=value -N=value -j=value --width=value --delimiters=value -e=value --from-code=value --to-code=value
head,tail,ghead,gtail transform -n=value -c=value --lines=value --bytes=value -s=value --pid=value
base64,gbase64 transform -w=value --wrap=value -i=read -o=write --input=read --output=write -b=value
cut,gcut transform -d=value -f=value -c=value -b=value --delimiter=value --fields=value --output-delimiter=value
tr,gtr words
wc,cksum,sum,md5sum,md5,sha1sum,sha224sum,sha256sum,sha384sum,sha512sum,b2sum,shasum,file,stat,gstat,du,lsattr,getfattr,getfacl,size,nm,readelf,otool,ldd,codesign,mdls,exiftool,identify,mediainfo,ffprobe inspect -f=value --format=value -c=value -d=value --max-depth=value -m=value -a=value --exclude=value
cmp,diff,diff3,gdiff,bsdiff,wdiff,delta read -U=value -C=value -x=value -X=read --to-file=read --from-file=read -I=value -W=value -L=value
ls,gls,dir,vdir,exa,eza,lsd,tree,ll,realpath,readlink,dirname,basename,pathchk,mountpoint,locate,mlocate,plocate,mdfind,findmnt,namei,which,whereis,type,ncdu,dust,broot,ranger,nnn,mc,test,[,[[ list -I=value -P=value -L=value -n=value -d=value
echo,gecho,printf,true,false,:,seq,yes,date,gdate,cal,ncal,sleep,usleep,expr,factor,bc,dc,clear,reset,tput,pwd,logname,tty,arch,nproc,uname,sw_vers,uptime,times,ulimit,umask,jobs,wait,bg,fg,disown,shift,return,exit,break,continue,getopts,let,local,declare,typeset,readonly,export,unset,set,shopt,alias,unalias,hash,bind,complete,compgen,compopt,enable,help,man,info,apropos,whatis,tldr,dirs,pushd,popd,cd,chdir,mktemp,time,read,mapfile,readarray,exec,eval,command,builtin,source,.,trap,history,logout,caller,suspend,coproc,stty,setterm,figlet,cowsay,lolcat,numfmt,nohup,mesg,getconf,locale,lorem,cygpath,alert,tabs,fc shell
sort,gsort transform -o=write -k=value -t=value -T=value -S=value --output=write --compress-program=program --files0-from=read --parallel=value --key=value --field-separator=value --random-source=read --batch-size=value
grep,ggrep,egrep,fgrep,zgrep,zegrep,zfgrep,bzgrep,xzgrep,rgrep,pcregrep,pcre2grep,ugrep pattern -e=code -f=input -A=value -B=value -C=value -m=value -d=value -D=value --include=value --exclude=value --exclude-dir=value --color=value --colour=value --regexp=code --file=input --max-count=value --view=program --filter=shell --pager=program -r=flag -R=flag --recursive=flag
rg,ag,ack,sift,pt pattern -e=code -f=input -g=value -t=value -T=value -A=value -B=value -C=value -m=value -j=value -r=value --pre=program --hostname-bin=program --pager=program --output=write --type=value --glob=value --ackrc=read
jq,yq,gojq,jaq,xq,tomlq,fx,dasel,mlr,xsv,csvcut,xmllint,xmlstarlet,pup,htmlq pattern --arg=value --argjson=value --slurpfile=value --rawfile=value --indent=value -L=value --from-file=input -f=input --xpath=code
sed,gsed,ssed sed -e=code -f=input -i=flag -n=flag -E=flag -r=flag --in-place=flag --expression=code --file=input -l=value -s=flag
awk,gawk,mawk,nawk,original-awk,goawk awk -F=value -v=value -f=input -e=code --file=input --source=code --assign=value --field-separator=value -i=value -l=program -W=value --load=program --include=read -E=input --exec=input -D=value -p=write -d=value -o=value
tee,gtee write
touch,gtouch touch -t=value -d=value -r=read --date=value --reference=read
mkdir,gmkdir,mkfifo,fallocate,mkfile touch -m=value -l=value -o=value --length=value --mode=value
truncate truncate -s=value --size=value -r=read
rmdir remove
rm,grm,unlink,shred,gshred,srm,wipe,trash,trash-put,rmtrash,del,delete,remove,secure-delete remove -n=value -s=value --iterations=value --random-source=read
cp,gcp,ditto,install,ginstall,pax copy -t=write --target-directory=write -S=value -m=value -o=value -g=value --suffix=value --strip-program=program -r=flag -R=flag -a=flag
ln,gln link -t=write --target-directory=write -S=value
link link
mv,gmv,rename,prename,mmv move -t=write --target-directory=write -S=value
chmod,gchmod mode --reference=read
chown,chgrp,gchown owner --reference=read --from=value
chattr,chflags,setfile,SetFile attribute -t=value -m=value -d=value -a=value -p=value -v=value
setfacl attribute -m=value -x=value -M=read -X=read --restore=read
xattr,setfattr,attr xattr -n=value -v=value -x=value --restore=read
setcap setcap
dd,gdd,dcfldd,dc3dd dd
split,gsplit transform -b=value -l=value -n=value -C=value -a=value --filter=shell --bytes=value --lines=value --additional-suffix=value
patch touch -i=read -p=value -o=write -d=folder -r=write -e=flag --input=read --output=write --ed=flag
gzip,gunzip,bzip2,bunzip2,xz,unxz,lzma,unlzma,zstd,unzstd,lz4,lzop,compress,uncompress,pigz,pbzip2,brotli,lrzip,pixz,plzip,lzip,rzip compress -o=write -S=value -T=value -b=value -d=flag --suffix=value --output=write
`);

/** All programs with known arguments. */
export const PROGRAMS: ProgramTable = new Map([...EVERYDAY_PROGRAMS, ...POWERFUL_PROGRAMS]);
