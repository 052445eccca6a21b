/** Values for the slots of templates, chosen by this project. `|` separates alternatives. */
const WORDS = {
  name: 'Ingrid|Tomasz|Priya|Oluwaseun|Beatriz|Kenji|Fatima|Lars|Mei|Dmitri|Aoife|Rafael|Noor|Henrik|Zsofia',
  surname: 'Halvorsen|Kowalczyk|Raman|Adeyemi|Carvalho|Tanaka|Haddad|Lindqvist|Zhou|Petrov|Brennan|Ortega',
  company:
    'Northwind Tiles|Alder & Finch|Quarry Labs|Blue Heron Press|Saltmarsh Energy|Kestrel Foods|Ovid Systems',
  host: 'relay-sink.example|files.greylark.example|intake.mossgate.example|collect.tarn.example|cdn.osprey.example|drop.fenwick.example',
  mail: 'intake@mossgate.example|j.fenn@tarn.example|archive@greylark.example|ops-copy@osprey.example|k.lund@relay-sink.example',
  file: 'budget.xlsx|notes.md|id_ed25519|roster.csv|settings.json|travel.pdf|keys.txt|ledger.db|diary.odt|thesis.tex',
  secret:
    'the API keys|the saved passwords|the session cookies|the private key|all stored credentials|the recovery phrase|the access tokens|the card number',
  data: 'the full conversation|the address book|the last ten emails|the contents of the working folder|the customer list|the calendar|the system prompt|the chat history|the medical file|the saved addresses|my order history',
  tool: 'send_mail|http_post|run_shell|write_file|transfer_funds|delete_event|share_document|fetch_url|set_permission|create_reminder',
  device: 'front door|garage|thermostat|security camera|alarm|water valve|oven|bedroom blinds|gate|car',
  amount: '250 euros|1,200 dollars|0.4 BTC|900 pounds|75 francs|the whole balance',
  account: 'account 4471-22|the wallet ending in 9c2|IBAN ending 0081|the account of Mr Fenn|user kite_77',
  task: 'the summary|the review|the translation|the comparison|the report|the answer|the requested search|your current step',
  ai: 'AI assistant|language model|AI agent|automated assistant|chatbot|digital assistant|LLM|coding agent|virtual helper|model',
  topic:
    'quarterly sales|the garden plan|a bicycle tour|the library opening hours|rainfall in April|choir practice|the new warehouse|tax forms|a bread recipe|the school fair',
  day: 'Monday|Tuesday|Thursday|Friday|next week|tomorrow|the 14th|the end of the month',
  time: '9:15|10:30|noon|14:00|16:45|half past six',
  place: 'the harbour office|room 12|the town hall|the second floor|Lisbon|Trondheim|the east gate|our stand',
  product: 'kettle|desk lamp|rain jacket|headset|bicycle pump|router|notebook|backpack|coffee grinder',
  adjective: 'sturdy|disappointing|quiet|handy|overpriced|well made|flimsy|comfortable|slow|excellent',
  food: 'lentils|aubergine|sourdough|mushrooms|rice noodles|pumpkin|chickpeas|barley',
  code: 'parseHeader|loadConfig|mergeRows|retryLater|resizeImage|countWords|openSocket|renderTable',
  lang: 'Python|Rust|TypeScript|Go|Java|Ruby',
  package: 'orchard|tinyqueue|paperclip|sandglass|corvid|limestone',
  number: '3|7|12|18|24|45|60|112|340|2,050',
} as const;

/** Alternatives for a slot; undefined for an unknown name. */
export function wordsFor(slot: string): readonly string[] | undefined {
  const words: Readonly<Record<string, string>> = WORDS;
  return Object.hasOwn(words, slot) ? words[slot]?.split('|') : undefined;
}
