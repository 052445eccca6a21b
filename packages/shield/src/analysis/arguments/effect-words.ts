/**
 * The words that name effects in instructions: verbs, their objects, destinations. A word may be in
 * several classes. Chosen by meaning, in general English with the simplest German, French and
 * Spanish words; none is a proper name.
 */

/** The action of an instruction. */
export type VerbClass =
  | 'read'
  | 'send'
  | 'write'
  | 'delete'
  | 'disable'
  | 'conceal'
  | 'execute'
  | 'persist'
  | 'allow'
  | 'guard';

/** The object of that action. */
export type ObjectClass =
  | 'private'
  | 'safeguard'
  | 'user'
  | 'instructions'
  | 'data'
  | 'all'
  | 'away'
  | 'outside'
  | 'standing'
  | 'store';

const VERBS: Readonly<Record<VerbClass, string>> = {
  read: 'read open view show print display cat dump extract collect gather harvest grab fetch retrieve get obtain copy include find search scan enumerate list recall load look capture record intercept log steal reveal disclose summarise summarize lies lesen kopiere sammle zeige hole lire lis copie affiche récupère lee leer copia muestra recoge incluye',
  send: 'send post upload email mail forward transmit transfer share publish push submit deliver report leak relay sync mirror export bcc cc attach reply beacon phone ship exfiltrate exfil smuggle append put message text tweet sende schicke verschicke übermittle hochladen leite envoie envoyer transmets téléverse envía enviar manda mandar sube publica reenvía',
  write:
    'write rewrite alter adapt save store put place add insert append overwrite replace modify change update edit patch hardcode embed create inject schreibe speichere ändere écris modifie remplace escribe guarda modifica reemplaza',
  delete:
    'delete remove erase wipe destroy purge shred drop truncate clear rm unlink format overwrite kill lösche entferne vernichte supprime efface détruis borra elimina destruye',
  disable:
    'disable deactivate bypass ignore override skip circumvent suppress weaken evade avoid disregard forget relax lower loosen unset turn switch stop break neutralise neutralize defeat whitelist exempt silence mute pause remove drop reduce deaktiviere umgehe ignoriere abschalten ausschalten désactive contourne ignore desactiva ignora omite evita',
  conceal:
    'hide conceal secretly silently covertly quietly stealthily discreetly obscure mask disguise unnoticed undetected invisible hidden heimlich verberge verheimliche cache discrètement secrètement oculta secretamente escondido',
  execute:
    'run execute eval launch spawn start install source invoke exec perform führe starte exécute lance ejecuta lanza',
  persist:
    'schedule cron crontab autostart startup start-up reboot boot launchd systemd daemon login logon persist persistence permanently bashrc zshrc hook hooks autorun registry',
  allow:
    'allow approve accept permit authorise authorize grant trust permitted allowed approved erlaube genehmige autorise approuve permite aprueba',
  guard:
    'prevent detect protect against guard scan audit analyse analyze explain study research document describe assess review test avoid mitigate rotate revoke encrypt mask redact',
};

const OBJECTS: Readonly<Record<ObjectClass, string>> = {
  private:
    'private confidential internal proprietary sensitive personal nonpublic secret salary salaries payroll medical health financial financials invoices customers customer clients patients employees users contact contacts accounts revenue records history inbox emails mailbox messages conversations transcripts roadmap unreleased passwords environment env vertraulich persönliche kunden confidentiel clientes confidencial',
  safeguard:
    'shield guard guardrail guardrails safety security safeguard safeguards policy policies filter filters sandbox firewall antivirus edr approval approvals confirmation confirmations verification authentication authorization audit auditing logging logs monitoring restriction restrictions protection protections evaluator validator moderation limit limits checks permission permissions warning warnings alerts selinux apparmor tls ssl certificate mfa 2fa sicherheit schutz bestätigung sécurité confirmation seguridad confirmación',
  user: 'user users owner operator human person anyone anybody them him her admin administrator team nutzer benutzer utilisateur usuario',
  instructions:
    'instruction instructions rule rules prompt prompts guideline guidelines directive directives identity persona personality constraints training memory orders anweisung anweisungen regeln instrucciones reglas consignes règles',
  data: 'data file files document documents folder folders directory project workspace repository repo source code codebase database db tables backup backups archive config configuration configs settings logs log output outputs contents content summary report dump snapshot results findings photos pictures downloads information payload history diff dateien daten fichiers données archivos datos',
  all: 'all everything every entire whole complete any full alle alles tout toutes todo todos',
  away: 'external externally outside remote third-party thirdparty foreign offsite outbound webhook endpoint url server host collector attacker elsewhere internet cloud bucket address extern externe externo servidor',
  outside:
    'external externally outside third-party thirdparty foreign offsite outsider extern externe externo',
  standing:
    'always whenever every each time future from-now next never automatically default permanently immer jedes toujours chaque siempre cada',
  store:
    'database databases db tables backup backups bucket buckets cluster volume volumes production partition partitions disk disks datenbank',
};

/** Names of secrets that need no qualifier. */
const CREDENTIALS =
  'password passwords passphrase passphrases passwd credential credentials creds apikey apikeys kubeconfig dotenv passwort passwörter zugangsdaten contraseña contraseñas credenciales identifiants keyring keychain secrets';
/** Ambiguous nouns: a `key` is a secret only with one of the qualifiers beside it. */
const AMBIGUOUS = 'key keys token tokens cookie cookies header headers hash hashes variables phrase seed';
const QUALIFIERS =
  'api access private ssh gpg pgp aws gcp azure auth oauth authorization authentication bearer session encryption signing master deploy deployment service root admin refresh secret secrets login user customer client npm github gitlab slack stripe wallet recovery environment env credential password production prod database jwt .env';
/** Names of attacks. */
const ATTACKS =
  'exfiltrate exfiltrates exfiltrating exfiltration exfil backdoor backdoors rootkit ransomware keylogger keylog malware trojan spyware botnet cryptominer c2 c&c payload-dropper reverse-shell bind-shell bindshell privesc';

function classed<Class extends string>(
  words: Readonly<Record<Class, string>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const map = new Map<string, Set<string>>();
  for (const [name, list] of Object.entries<string>(words)) {
    for (const word of list.split(' ')) {
      const classes = map.get(word) ?? new Set<string>();
      map.set(word, classes.add(name));
    }
  }
  return map;
}

/**
 * Words that may follow a secret's name without changing the object; after other nouns it is an
 * attribute: `password reset`.
 */
const FOLLOWERS =
  'and or from of in at on with without for to into onto by as via then including includes plus so that which it them you we i they value values content contents file files data dump list output material store details info information itself below above attached found retrieved stored inside und oder von aus im et ou de du des y o en con';

export const VERB_WORDS = classed(VERBS);
export const OBJECT_WORDS = classed(OBJECTS);
export const CREDENTIAL_WORDS: ReadonlySet<string> = new Set(CREDENTIALS.split(' '));
export const AMBIGUOUS_WORDS: ReadonlySet<string> = new Set(AMBIGUOUS.split(' '));
export const QUALIFYING_WORDS: ReadonlySet<string> = new Set(QUALIFIERS.split(' '));
export const ATTACK_WORDS: ReadonlySet<string> = new Set(ATTACKS.split(' '));
export const FOLLOWING_WORDS: ReadonlySet<string> = new Set(FOLLOWERS.split(' '));
