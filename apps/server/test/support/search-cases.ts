/** A text, and the queries that must find it. */
export interface SearchCase {
  readonly text: string
  /** The queries that find it, each with its snippet. */
  readonly found: Readonly<Record<string, string>>
  /** The queries that do not find it. */
  readonly missed?: readonly string[]
}

/** Spellings that other searches miss. */
export const SEARCH_CASES: Readonly<Record<string, readonly SearchCase[]>> = {
  'short words': [
    { text: 'Ask IT about the laptop', found: { IT: 'Ask «IT» about the laptop', it: 'Ask «IT» about the laptop' } },
    { text: 'The WHO has new advice', found: { WHO: 'The «WHO» has new advice' }, missed: ['whom'] },
    { text: 'Will is on leave', found: { Will: '«Will» is on leave', 'will leave': '«Will» is on «leave»' } },
    {
      text: 'We follow plan A today',
      found: { '"plan A"': 'We follow «plan» «A» today', 'plan -"plan B"': 'We follow «plan» A today' },
      missed: ['"plan B"', '"a plan"', 'plan -a'],
    },
    {
      text: 'We never follow plan B, a bad one',
      found: { '"plan B"': 'We never follow «plan» «B», a bad one' },
      missed: ['"plan A"'],
    },
    {
      text: 'I can\u2019t come, and Bob\u2019s car doesn\u2019t start',
      found: {
        "can't": 'I «can\u2019t» come, and Bob\u2019s car doesn\u2019t start',
        'can\u2019t': 'I «can\u2019t» come, and Bob\u2019s car doesn\u2019t start',
        Bob: 'I can\u2019t come, and «Bob»\u2019s car doesn\u2019t start',
        "doesn't": 'I can\u2019t come, and Bob\u2019s car «doesn\u2019t» start',
      },
      missed: ["don't"],
    },
    { text: 'They don\u02bct mind', found: { "don't": 'They «don\u02bct» mind' } },
    { text: "They don't care", found: { 'don\u02bct': "They «don't» care" } },
    { text: 'To be, or not to be', found: { '"not to be"': 'To be, or «not» «to» «be»' }, missed: ['"be not"'] },
    {
      text: 'Made in the U.S. by hand',
      found: { 'U.S.': 'Made in the «U.S». by hand', 'u.s': 'Made in the «U.S». by hand' },
    },
  ],
  'parts of identifiers': [
    {
      text: 'We ship v1.2.3-beta.4 now',
      found: {
        '1.2.3': 'We ship v«1.2.3»-beta.4 now',
        'v1.2.3': 'We ship «v1.2.3»-beta.4 now',
        beta: 'We ship v1.2.3-«beta».4 now',
        'v1.2.3-beta.4': 'We ship «v1.2.3-beta.4» now',
        '1.2': 'We ship v«1.2».3-beta.4 now',
      },
      missed: ['1.2.4', '2.1', 'v2.3'],
    },
    {
      text: 'Needs node22.11.0, or Python3.12 (python-3.12-slim)',
      found: {
        '22.11.0': 'Needs node«22.11.0», or Python3.12 (python-3.12-slim',
        '22': 'Needs node«22».11.0, or Python3.12 (python-3.12-slim',
        '3.12': 'Needs node22.11.0, or Python«3.12» (python-«3.12»-slim',
        python: 'Needs node22.11.0, or «Python»3.12 («python»-3.12-slim',
        'python3.12': 'Needs node22.11.0, or «Python3.12» («python-3.12»-slim',
      },
      missed: ['22.12', '3.11'],
    },
    {
      text: 'Release 2.0.0rc1 is out',
      found: { '2.0.0': 'Release «2.0.0»rc1 is out', rc1: 'Release 2.0.0«rc1» is out' },
    },
    {
      text: 'Set MAX_RETRY_COUNT in my_module.utils:retry_all()',
      found: {
        MAX_RETRY_COUNT: 'Set «MAX_RETRY_COUNT» in my_module.utils:retry_all',
        retry_count: 'Set MAX_«RETRY_COUNT» in my_module.utils:retry_all',
        'my_module.utils': 'Set MAX_RETRY_COUNT in «my_module.utils»:retry_all',
      },
    },
    {
      text: 'See ./src/auth/login-form.test.tsx:42 and C:\\Users\\ada\\notes.md',
      found: {
        'login-form.test.tsx': 'See ./src/auth/«login-form.test.tsx»:42 and C:\\Users\\ada\\notes.md',
        'src/auth': 'See ./«src/auth»/login-form.test.tsx:42 and C:\\Users\\ada\\notes.md',
        form: 'See ./src/auth/login-«form».test.tsx:42 and C:\\Users\\ada\\notes.md',
        'notes.md': 'See ./src/auth/login-form.test.tsx:42 and C:\\Users\\ada\\«notes.md»',
      },
    },
    {
      text: 'Mail ada.lovelace+news@mail.example.org or https://example.org/a/b?page=2#top',
      found: {
        lovelace: 'Mail ada.«lovelace»+news@mail.example.org or https://example.org/a/b?page=2#top',
        'ada.lovelace': 'Mail «ada.lovelace»+news@mail.example.org or https://example.org/a/b?page=2#top',
        'mail.example.org': 'Mail ada.lovelace+news@«mail.example.org» or https://example.org/a/b?page=2#top',
        'page=2': 'Mail ada.lovelace+news@mail.example.org or https://example.org/a/b?«page»=«2»#top',
      },
    },
    {
      text: 'Commit 9fceb02d0ae598e95dc9 broke it',
      found: { '9fceb02d0ae598e95dc9': 'Commit «9fceb02d0ae598e95dc9» broke it' },
    },
    {
      text: 'Start it with --dry-run',
      found: { '--dry-run': 'Start it with --«dry-run»', 'dry run': 'Start it with --«dry-run»' },
    },
    {
      text: 'Written in C++17 first',
      found: { 'C++': 'Written in «C++»17 first', 'c++17': 'Written in «C++17» first' },
      missed: ['C#', 'c'],
    },
    { text: 'Now at ｖ１．２．３', found: { '1.2.3': 'Now at ｖ«１．２．３»', 'v1.2': 'Now at «ｖ１．２»' } },
    {
      text: 'Listen on 192.168.0.17:8080',
      found: { '192.168.0.17': 'Listen on «192.168.0.17»', '８０８０': 'Listen on 192.168.0.17:«8080»' },
    },
    { text: 'Written in C# then', found: { 'C#': 'Written in «C#» then' }, missed: ['C++', 'c'] },
    {
      text: 'Meet in 10min, 5pm or at 17:30',
      found: { '10': 'Meet in «10»min, 5pm or at', '17:30': 'Meet in 10min, 5pm or at «17:30»' },
    },
  ],
  'Arabic script': [
    {
      text: 'هذا كتاب علي',
      found: {
        کتاب: 'هذا «كتاب» علي',
        كتاب: 'هذا «كتاب» علي',
        كتـــاب: 'هذا «كتاب» علي',
        كِتَاب: 'هذا «كتاب» علي',
        علی: 'هذا كتاب «علي»',
        على: 'هذا كتاب «علي»',
        ھذا: '«هذا» كتاب علي',
        ہذا: '«هذا» كتاب علي',
      },
      missed: ['كاتب'],
    },
    {
      text: 'این کتاب فارسی',
      found: { كتاب: 'این «کتاب» فارسی', فارسي: 'این کتاب «فارسی»', '"كتاب فارسى"': 'این «کتاب» «فارسی»' },
    },
    { text: 'یہ اردو ہے', found: { يه: '«یہ» اردو ہے', هي: 'یہ اردو «ہے»' } },
    {
      text: 'قال أحمد إلى آمنة',
      found: { احمد: 'قال «أحمد» إلى آمنة', الى: 'قال أحمد «إلى» آمنة', امنه: 'قال أحمد إلى «آمنة»' },
    },
    {
      text: 'قال احمد الي امنه',
      found: { أحمد: 'قال «احمد» الي امنه', إلى: 'قال احمد «الي» امنه', آمنة: 'قال احمد الي «امنه»' },
    },
    { text: 'سـلام العـــالم', found: { سلام: '«سـلام» العـــالم', العالم: 'سـلام «العـــالم»' } },
    {
      text: 'Room ١٢٣, price ۴۵۶, year २०२६, code ７８９',
      found: {
        '123': 'Room «١٢٣», price ۴۵۶, year २०२६, code',
        '456': 'Room ١٢٣, price «۴۵۶», year २०२६, code',
        '۱۲۳': 'Room «١٢٣», price ۴۵۶, year २०२६, code',
        '2026': 'Room ١٢٣, price ۴۵۶, year «२०२६», code',
        '789': 'Room ١٢٣, price ۴۵۶, year २०२६, code «７８９»',
      },
    },
    {
      text: 'Paid 98765 of it',
      found: { '۹۸۷۶۵': 'Paid «98765» of it', '٩٨٧٦٥': 'Paid «98765» of it', '９８７６５': 'Paid «98765» of it' },
    },
  ],
  emoji: [
    {
      text: 'Buy 🥕🥕 and soup🍲 today',
      found: {
        '🥕': 'Buy «🥕🥕» and soup🍲 today',
        '🍲': 'Buy 🥕🥕 and soup«🍲» today',
        'soup 🥕': 'Buy «🥕🥕» and «soup»🍲 today',
      },
      missed: ['🚀', 'buy 🚀', 'buy -🥕'],
    },
    {
      text: 'Our 👩‍💻 team 👨‍👩‍👧‍👦 says 👍🏽',
      found: {
        '👩‍💻': 'Our «👩‍💻» team 👨‍👩‍👧‍👦 says 👍🏽',
        '👨‍👩‍👧‍👦': 'Our 👩‍💻 team «👨‍👩‍👧‍👦» says 👍🏽',
        '👍🏽': 'Our 👩‍💻 team 👨‍👩‍👧‍👦 says «👍🏽»',
        '👍': 'Our 👩‍💻 team 👨‍👩‍👧‍👦 says «👍🏽»',
      },
      missed: ['👍🏿', '👨‍💻'],
    },
    { text: 'From 🇩🇪 to 🇸🇪', found: { '🇩🇪': 'From «🇩🇪» to 🇸🇪', '🇸🇪': 'From 🇩🇪 to «🇸🇪»' }, missed: ['🇪🇸', '🇫🇷'] },
    {
      text: 'With love ❤️ and ✓, 50 €',
      found: {
        '❤️': 'With love «❤️» and ✓, 50 €',
        '❤': 'With love «❤️» and ✓, 50 €',
        '✓': 'With love ❤️ and «✓», 50 €',
        '€': 'With love ❤️ and ✓, 50 «€»',
      },
    },
    {
      text: 'Key 1️⃣ for 🏴󠁧󠁢󠁥󠁮󠁧󠁿, © Ada → done',
      found: {
        '1️⃣': 'Key «1️⃣» for 🏴󠁧󠁢󠁥󠁮󠁧󠁿, © Ada → done',
        '🏴󠁧󠁢󠁥󠁮󠁧󠁿': 'Key 1️⃣ for «🏴󠁧󠁢󠁥󠁮󠁧󠁿», © Ada → done',
        '→': 'Key 1️⃣ for 🏴󠁧󠁢󠁥󠁮󠁧󠁿, © Ada «→» done',
      },
    },
  ],
}
