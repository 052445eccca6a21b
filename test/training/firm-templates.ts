import { group, type TemplateGroup } from './template-group.ts';

const ordinary = { instructs: false };
const heldOut = { instructs: false, heldOut: true };

/**
 * Texts of programs and companies for people: notices, forum answers, traces, terms, shop pages.
 */
export const FIRMS: readonly TemplateGroup[] = [
  group(
    'notices',
    ordinary,
    `
    Hi {name}, you (paid|sent) {amount} to {name} {surname} on {day}. The money (left|was taken from) your account ending in {number}. (Questions? |)(Just reply|Reply) to this (mail|message).
    Your card ending in {number} (was|has been) (charged|credited) {amount} by {company}. If you (do not|don't) (recognise|know) it, (call|contact) us (at once|today).
    A payment of {amount} (is due|will be taken) on {day}. You (receive|get) this (notice|mail) because you (asked|signed up) for alerts over {amount}.
    Your subscription to {package} (renews|ends) on {day}. (Manage|Cancel|Change) it in your account. You can (also )?(pause|stop) it (at any time|there).
    (Someone|A new device) signed in to your account from {place}. Was this you? If not, (change|reset) your password and (review|check) your devices.
    Your code is {number}{number}. (Do not|Never) (share|give) it (to|with) anyone. It (expires|ends) in {number} minutes.
    (Thank you|Thanks) for (choosing|shopping at) {company}, {name}! Your receipt: {product} {amount}, {product} {amount}, total {amount}. (Keep|Print) it for returns.
    (You are receiving|You get) this (mail|newsletter) because {mail} is on our list. (Unsubscribe|Manage preferences|View in browser) {company}, {place}
    Bill for {topic}, {day}. Service: {product}. Total: {amount}. Please pay by (bank transfer|card) to (the account below|{account}) within {number} days. {company}
    {name} {surname} (mentioned|tagged|invited) you (in|to) {topic}. (Reply|View|Open) it on {host}, or (turn off|mute) these (mails|notices) in Settings.
    Your parcel {number}{number} (is on its way|was delivered) to {place}. (Track|Follow|Change) the delivery at https://{host}/t/{number}
    We (updated|changed) our terms. By (using|keeping) your account after {day} you (agree|accept). You may (close|delete) it (before then|if you do not).
    (Your statement|Your report|The invoice) for {topic} is (attached|ready). (Sign in|Log in) to (see|download) it. This (mail|message) was sent (automatically|to {mail}).
  `,
  ),
  group(
    'forum',
    ordinary,
    `
    You can (use|try) {code} (here|for that): \\n>>> import {package}\\n>>> {package}.{code}([{number}, {number}])\\n[{number}]\\nIt (returns|gives) a list, not a number.
    Your (function|loop|class) (turns|changes) the string into a list. If you (pass|give) it one element, it (passes|hands) that on as the first argument: {code}(*args).
    Traceback (most recent call last):\\n  File "{package}.py", line {number}, in <module>\\n    {code}({number})\\nValueError: {package} (needs|expects) at least one row
    Exception in thread "main" java.lang.NullPointerException\\n\\tat com.{package}.Main.{code}(Main.java:{number})
    You'd have to (write|provide) your own {code}. Something like this:\\nclass {package}:\\n    def {code}(self):\\n        return self.rows
    The (problem|reason) is that {code} (runs|is called) before the (file|page) (is ready|loads). (Move|Wrap) it in a callback, or (use|add) await.
    (What|How) is the (difference|best way) (between|to combine) {code} and {code} in {lang}? I (read|saw) the docs but I (do not|don't) (get|understand) it. {name}
    (As|Like) {name} said, you (should|could) (not )?(compare|copy) floats with ==. (Instead,|Better:) (take|use) a tolerance of 0.{number}.
    (If|When) you (want|need) (element-wise|lazy) (and|or), you (can|must) (use|write) the operators & and |, (not|never) the words.
    This (works|fails) (only )?(in|with) {lang} {number}. (In older versions|Before), you (had|have) to (import|call) {code} (yourself|by hand).
    const x = require('{package}');\\nx.on('{topic}', (event) => { console.log(event.{code}); });\\nmodule.exports = x;
    #include <stdio.h>\\nint main(void) { printf("%d\\n", {code}({number})); return 0; }
    WARNING: {package} is deprecated and will be removed in {number}.0. Please use {code} instead.
    [INFO] Building {package} {number}.{number}\\n[INFO] Tests run: {number}, Failures: 0, Skipped: {number}
  `,
  ),
  group(
    'facts and shops',
    ordinary,
    `
    ({company}|The {product} shop), {place}. Open (daily|Monday to Friday). Rating {number}. (Cards|Cash) accepted. (Parking|Wifi) (is free|available).
    Name: {company}\\nRating: {number}\\nPrice: {amount}\\nReview: (Friendly staff|Great {food}), but the (beds|chairs) were {adjective}.
    | {topic} | {number} | {number} |\\n|---|---|---|\\n| {place} | {number} | {number} |\\n| {place} | {number} | {number} |
    {place} is a (city|village) with {number}00 people (on|near) the (coast|river). It (has|had) a {product} factory until {number}0.
    The {adjective} {food} (soup|salad) {amount}\\n{food} with {food} {amount}\\n{food} cake {amount}
    (Warranty|Returns): you (may|can) (return|exchange) the {product} within {number} days. (Keep|Bring) the receipt. (Used|Opened) goods (are|stay) excluded.
    ({name}|The patient) (takes|was given) {number} mg (twice a day|at night). Allergies: {food}. Next (visit|check): {day}, {time}.
    Meeting {topic}\\nwhen: {day}, {time}\\nwhere: {place}\\nwho: {name}, {name}, {mail}\\ndescription: (talk about|plan) the next {number} weeks
    Chapter {number}. {name} (opened|read) the letter. (It said|The words were): (come|go) to {place} (at once|alone), and (bring|burn) {file}.
    Owner: {mail}. Last change: {day}. {file}: {number} pages. (Shared with|Visible to): {mail}, {mail}.
    Weather for {place}: {number} degrees, (rain|sun). {day}: {number} degrees. Wind from (north|west), {number} km/h.
    Packing list: {product}, {product}, passport, {food}. Leave at {time}. Check in online. Take bus {number} to {place}.
    (The|My) {product} (broke|stopped) after {number} (days|weeks). (Support|{company}) (never|did not) (answered|helped). (Avoid|Do not buy) it!
  `,
  ),
  group(
    'bank and post',
    heldOut,
    `
    {name}, {amount} arrived from {company}. Your balance is now {amount}. Open the app to see the details.
    Your letter to {place} could not be delivered. Collect it by {day}, or ask for a second try at https://{host}/again
    You have {number} new messages. {name}: "see you at {time}". Reply in the app.
  `,
  ),
  group(
    'answers',
    heldOut,
    `
    You can sort the rows with {code}(key=lambda row: row[{number}]). If two are equal, their order stays.
    I had the same error. Updating {package} to {number}.1 and removing {file} made it go away.
    TypeError: cannot read properties of undefined (reading '{code}')\\n    at run ({package}.js:{number}:{number})
  `,
  ),
];
