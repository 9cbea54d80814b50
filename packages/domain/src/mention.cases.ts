/**
 * What texts mention. The domain, the server and the page all run these cases, so that a name means the same actor
 * wherever it is written or shown.
 */

/** The participants of the space in which the texts are written. Ada Lovelace writes them. */
export const MEMBERS = [
  'Ada Lovelace',
  'Grace',
  '李明',
  '佐藤',
  'José Núñez',
  'Zoë',
  'Łukasz',
  "Siobhán O'Brien",
  'Мария',
  'สมชาย',
  'សុខ',
  'ຄຳ',
  '민수',
  'राम',
  'محمد',
  'דוד',
  'ci-bot',
  'Agent 7',
  'Dr. Who',
  'Scout (beta)',
  'R2_D2',
  '🦊 Fox',
] as const

export type MemberName = (typeof MEMBERS)[number]

export interface MentionCase {
  readonly text: string
  readonly mentions: readonly MemberName[]
}

const GRACE: readonly MemberName[] = ['Grace']

const of = (mentions: readonly MemberName[], ...texts: readonly string[]): MentionCase[] =>
  texts.map((text) => ({ text, mentions }))

const FENCE = '```'

export const MENTION_CASES: readonly MentionCase[] = [
  // Names by themselves, in any case, whole or by one word.
  ...of(GRACE, '@Grace', '@grace', '@GRACE, look', 'look, @Grace!', '@Grace?', '@Grace: now', '(@Grace)', '[@Grace]'),
  ...of(
    GRACE,
    '"@Grace"',
    '“@Grace”',
    '«@Grace»',
    '¿@Grace?',
    '—@Grace—',
    '@Grace…',
    '@Grace...',
    '@Grace--now',
    '@@Grace',
  ),
  ...of(
    GRACE,
    "@Grace's plan",
    '@Grace’s plan',
    '<@Grace>',
    '{@Grace}',
    '#1@ @Grace',
    '1.@Grace',
    '+@Grace',
    '@Grace;@Grace',
  ),
  ...of(
    ['Ada Lovelace'],
    '@Ada Lovelace wrote',
    '@Ada wrote',
    '@Lovelace wrote',
    '@ada\u00a0lovelace',
    '@Ada  Lovelace',
  ),
  ...of(['ci-bot'], '@ci-bot run', '@ci-bot.', '@CI-BOT', '@ci‑bot'),
  ...of(['Agent 7'], '@Agent 7: go', '@agent 7'),
  ...of(['Dr. Who'], '@Dr. Who?', '@Who'),
  ...of(['Scout (beta)'], '@Scout (beta)!', '@Scout, go'),
  ...of(['R2_D2'], '@R2_D2', '_@R2_D2_', '@R2_D2_看'),
  ...of(['🦊 Fox'], '@🦊 Fox', '@Fox'),
  ...of(
    [],
    '@Garce',
    '@Gracen',
    '@Grace2',
    '@Grace-2',
    '@Grace_2',
    '@Grace.js',
    '@ Grace',
    '@',
    '@@',
    'Grace',
    '@\u200bGrace',
  ),

  // Scripts without spaces need none around a mention, and a name ends where the script changes.
  ...of(['李明'], '请@李明看一下', '@李明你好', '请@李明，看', '（@李明）', '@李明2号'),
  ...of(['佐藤'], 'ありがとう@佐藤さん', '@佐藤です', 'カタカナ@佐藤ー', '・@佐藤・', '「@佐藤」'),
  ...of(GRACE, '请@Grace看', '@Graceさん', '안녕@Grace님', '@Grace는', 'ขอบคุณ@Graceครับ', 'ขอบคุณที่@Grace', 'អរគុណ@Grace'),
  ...of(GRACE, 'ຂອບໃຈ@Grace', '你好，@Grace！', '。@Grace。', 'ｶﾞ@Grace', '々@Grace', '@Graceи'),
  ...of(['สมชาย'], 'ขอบคุณ@สมชายครับ', 'ดู@สมชาย'),
  ...of(['សុខ'], 'សួស្តី@សុខ', '@សុខបាទ'),
  ...of(['ຄຳ'], 'ສະບາຍດີ@ຄຳ'),
  ...of(['민수'], '@민수님', '안녕@민수야', '@민수'.normalize('NFD')),
  ...of(['राम'], '@राम', 'नमस्ते @राम।'),
  ...of(['محمد'], 'يا @محمد، تعال', 'و@محمد؟', '@مُحَمَّد'),
  ...of(['דוד'], 'ל@דוד', '@דוד,'),
  ...of(GRACE, 'و@Grace', 'ל@Grace', '@Graceو'),
  ...of(
    [],
    '@रामा',
    'भी@Grace',
    'привет@Grace',
    'foo@Grace',
    'é@Grace',
    'e\u0301@Grace',
    '7@Grace',
    '７@Grace',
    'Ａ@Grace',
  ),
  ...of([], 'foo_@Grace', '_@Grace', '𐐀@Grace'),

  // Punctuation and Markdown right beside a mention.
  ...of(GRACE, '_@Grace_', '__@Grace__', '*@Grace*', '**@Grace**', '***@Grace***', '_**@Grace**_', '~~@Grace~~'),
  ...of(
    GRACE,
    '_see @Grace_',
    '_@Grace, look_',
    '__@Grace_',
    '.@Grace',
    'Done.@Grace',
    '--@Grace',
    '- @Grace',
    '1. @Grace',
    '# @Grace',
  ),
  ...of(GRACE, '- [ ] @Grace', '| a | @Grace |\n|---|---|\n| b | c |', 'cc:@Grace', 'a/@Grace', '&amp;@Grace'),
  ...of(
    GRACE,
    '[@Grace](https://example.org)',
    '[see @Grace](https://example.org/a)',
    '🙂@Grace',
    '👍🏽@Grace',
    '❤️@Grace',
  ),
  ...of(
    GRACE,
    '1️⃣@Grace',
    '👩‍💻@Grace',
    '🇯🇵@Grace',
    '①@Grace',
    'ℹ️@Grace',
    '@Grace🙂',
    '\u2068@Grace\u2069',
    '<b>@Grace</b>',
  ),
  ...of(
    ['Grace', '佐藤'],
    '@Grace/@佐藤',
    '@Grace,@佐藤',
    '@Grace、@佐藤',
    '@Grace @佐藤',
    '@Grace|@佐藤',
    '@Grace\n@佐藤',
  ),
  ...of(['李明', '佐藤'], '@李明@佐藤', '@李明和@佐藤'),

  // Addresses.
  ...of(
    [],
    'https://social.example/@Grace',
    '[x](https://social.example/@Grace)',
    '@grace@social.example',
    'jo@grace.example',
  ),
  ...of(
    [],
    'jo+tag@grace.example',
    'jo@mail.grace.example',
    '<jo@grace.example>',
    'https://jo:x@Grace/',
    'ssh://git@Grace/x',
  ),
  ...of([], 'http://x.example/?to=@Grace', 'social.example/@Grace', '[x](/users/@Grace)', '[x](</users/@Grace> "t")'),
  ...of(
    [],
    '<https://social.example/@Grace>',
    'see (https://social.example/@Grace).',
    'mailto:jo@Grace',
    '@Grace@social.example',
    'a@b.example@Grace',
  ),
  ...of(
    [],
    'npm i @grace/core',
    '@grace/core@1.2.0',
    "import '@grace/core/x'",
    'node_modules/@grace/core',
    'git@grace:a/b.git',
  ),
  ...of(
    GRACE,
    'https://example.org @Grace',
    '见https://example.org，@Grace',
    '（https://example.org）@Grace',
    'jo@x.example @Grace',
  ),
  ...of(
    GRACE,
    '[x](https://example.org) @Grace',
    '[x](https://example.org)@Grace',
    '<https://example.org>@Grace',
    '[ERROR]: @Grace',
  ),

  // Full-width.
  ...of(GRACE, '＠Grace', '请＠Grace看', '＠Ｇｒａｃｅ', '@Ｇｒａｃｅ', '（＠Grace）'),
  ...of([], 'foo＠Grace', '`＠Grace`'),

  // Names are folded as search folds.
  ...of(
    ['José Núñez'],
    '@jose',
    '@José',
    '@JOSÉ',
    '@nunez',
    '@jose nunez',
    '@José Núñez',
    '@José Núñez'.normalize('NFD'),
  ),
  ...of(['Zoë'], '@zoe', '@ZOË', '@Zoe\u0308', '@Zoe'),
  ...of(['Łukasz'], '@lukasz', '@łukasz'),
  ...of(["Siobhán O'Brien"], "@Siobhan O'Brien", '@Siobhán O’Brien', '@Siobhán OʼBrien', '@o’brien', '@siobhan'),
  ...of(['Мария'], '@мария', '@Мария, да'),

  // Code, in every form.
  ...of(
    [],
    '`@Grace`',
    '`` @Grace ` ``',
    '`a\n@Grace`',
    '\\\\`@Grace`',
    `${FENCE}\n@Grace\n${FENCE}`,
    `${FENCE}\n@Grace`,
  ),
  ...of(
    [],
    '~~~\n@Grace\n~~~',
    '~~~ts\n@Grace',
    `~~~\n${FENCE}\n@Grace\n~~~`,
    `\`${FENCE}\n${FENCE}\n@Grace\n${FENCE}\n\`${FENCE}`,
  ),
  ...of(
    [],
    '    @Grace',
    '\t@Grace',
    'a\n\n    @Grace',
    '# a\n    @Grace',
    '- a\n\n      @Grace',
    `- a\n  ${FENCE}\n  @Grace\n  ${FENCE}`,
  ),
  ...of(
    [],
    `1. ${FENCE}\n   @Grace\n   ${FENCE}`,
    `${FENCE}js title="a"\n@Grace\n${FENCE}`,
    `   ${FENCE}\n@Grace\n   ${FENCE}`,
  ),
  ...of(
    [],
    `${FENCE}\r\n@Grace\r\n${FENCE}`,
    `a ${FENCE}b @Grace${FENCE}`,
    `${FENCE}\n${FENCE} x\n@Grace\n${FENCE}`,
    `${FENCE}\n\n@Grace\n\n${FENCE}`,
  ),
  ...of(
    GRACE,
    `${FENCE}\na\n${FENCE}\n@Grace`,
    '~~~\na\n~~~\n@Grace',
    '`a` @Grace',
    '`@Grace',
    '\\`@Grace\\`',
    '`a @Grace\n\nb`',
  ),
  ...of(
    GRACE,
    'a\n    @Grace',
    '- a\n    @Grace',
    '- a\n    - @Grace',
    '- a\n\n  @Grace',
    `- ${FENCE}\n  a\n  ${FENCE}\n@Grace`,
  ),
  ...of(
    GRACE,
    `${FENCE}\na\n${FENCE}${FENCE}\n@Grace`,
    '    a\n@Grace',
    '``a` @Grace',
    `~~~\n${FENCE}\n~~~\n@Grace`,
    'a\r\n\r\n@Grace',
  ),

  // Quotations.
  ...of(
    [],
    '> @Grace said',
    '>@Grace',
    '> a\n> @Grace',
    '> > @Grace',
    '- > @Grace',
    '> - @Grace',
    '   > @Grace',
    `> ${FENCE}\n> @Grace`,
  ),
  ...of([], 'a\n> @Grace', '1. a\n   > @Grace', '> a\r\n> @Grace', '>> @Grace'),
  ...of(
    GRACE,
    '> a\n\n@Grace',
    '> a\n@Grace',
    '> a\n\n- @Grace',
    `> ${FENCE}\n> a\n\n@Grace`,
    'a > @Grace',
    '- > a\n- @Grace',
    '->@Grace',
  ),
]
