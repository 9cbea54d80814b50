import type { ActorType, DecisionStatus } from '@collab-spaces/domain'

/** The languages of summaries: those of the page. */
export const SUMMARY_LANGUAGES = ['en', 'de', 'ar'] as const

export type SummaryLanguage = (typeof SUMMARY_LANGUAGES)[number]

/** The texts that a summary adds to quotations. */
export interface SummaryTexts {
  /** What a language model writes in. */
  readonly language: string
  readonly titles: Readonly<Record<'points' | 'participants' | 'proposed' | 'settled' | 'questions' | 'links', string>>
  readonly nothing: string
  readonly noEvents: string
  readonly opening: (window: { events: number; participants: number; first: string; last: string }) => string
  readonly events: (count: number) => string
  readonly more: (count: number) => string
  readonly types: Readonly<Record<ActorType, string>>
  readonly statuses: Readonly<Record<DecisionStatus, string>>
  readonly as: string
  readonly unknown: string
  /** Points from a decision to its outcome. */
  readonly arrow: string
}

/** The forms of a counted text, in which `#` is the number. */
type PluralForms = { readonly other: string } & { readonly [Rule in Intl.LDMLPluralRule]?: string }

function counted(language: SummaryLanguage, forms: PluralForms): (count: number) => string {
  const rules = new Intl.PluralRules(language)
  return (count) => (forms[rules.select(count)] ?? forms.other).replace('#', String(count))
}

const english = {
  events: counted('en', { one: '# event', other: '# events' }),
  participants: counted('en', { one: '# participant', other: '# participants' }),
}

const german = {
  events: counted('de', { one: '# Nachricht', other: '# Nachrichten' }),
  /** In the dative. */
  participants: counted('de', { one: '# Teilnehmer', other: '# Teilnehmern' }),
}

const arabic = {
  events: counted('ar', {
    zero: 'لا رسائل',
    one: 'رسالة واحدة',
    two: 'رسالتان',
    few: '# رسائل',
    many: '# رسالة',
    other: '# رسالة',
  }),
  /** In the genitive. */
  participants: counted('ar', {
    one: 'مشارك واحد',
    two: 'مشاركين اثنين',
    few: '# مشاركين',
    many: '# مشاركًا',
    other: '# مشارك',
  }),
}

/** Any change of a text needs a new `EXTRACTIVE_MODEL`, as summaries are stored. */
export const SUMMARY_TEXTS: Readonly<Record<SummaryLanguage, SummaryTexts>> = {
  en: {
    language: 'the language most of the messages are in',
    titles: {
      points: 'Main points',
      participants: 'Participants',
      proposed: 'Decisions proposed',
      settled: 'Decisions settled',
      questions: 'Open questions',
      links: 'Links',
    },
    nothing: 'Nothing happened in this window: no events, and no decision proposed or settled.',
    noEvents: 'No events in this window.',
    opening: ({ events, participants, first, last }) =>
      `${english.events(events)} by ${english.participants(participants)}, from ${first} to ${last}.`,
    events: english.events,
    more: (count) => `and ${count} more`,
    types: { human: 'human', agent: 'agent' },
    statuses: { proposed: 'proposed', resolved: 'resolved', rejected: 'rejected' },
    as: 'as',
    unknown: 'unknown',
    arrow: '→',
  },
  de: {
    language: 'German',
    titles: {
      points: 'Wichtigste Punkte',
      participants: 'Teilnehmer',
      proposed: 'Vorgeschlagene Entscheidungen',
      settled: 'Abgeschlossene Entscheidungen',
      questions: 'Offene Fragen',
      links: 'Links',
    },
    nothing:
      'In diesem Zeitraum ist nichts passiert: keine Nachrichten, keine vorgeschlagene und keine abgeschlossene Entscheidung.',
    noEvents: 'Keine Nachrichten in diesem Zeitraum.',
    opening: ({ events, participants, first, last }) =>
      `${german.events(events)} von ${german.participants(participants)}, von ${first} bis ${last}.`,
    events: german.events,
    more: counted('de', { one: 'und # weiterer Eintrag', other: 'und # weitere Einträge' }),
    types: { human: 'Mensch', agent: 'Agent' },
    statuses: { proposed: 'vorgeschlagen', resolved: 'beschlossen', rejected: 'abgelehnt' },
    as: 'als',
    unknown: 'unbekannt',
    arrow: '→',
  },
  ar: {
    language: 'Arabic',
    titles: {
      points: 'النقاط الرئيسية',
      participants: 'المشاركون',
      proposed: 'القرارات المقترحة',
      settled: 'القرارات التي بُتّ فيها',
      questions: 'الأسئلة المفتوحة',
      links: 'الروابط',
    },
    nothing: 'لم يحدث شيء في هذه الفترة: لا رسائل، ولا قرار اقتُرح أو بُتّ فيه.',
    noEvents: 'لا رسائل في هذه الفترة.',
    opening: ({ events, participants, first, last }) =>
      `${arabic.events(events)} من ${arabic.participants(participants)}، من ${first} إلى ${last}.`,
    events: arabic.events,
    more: counted('ar', { one: 'وواحد آخر', two: 'واثنان آخران', other: 'و# أخرى' }),
    types: { human: 'إنسان', agent: 'وكيل' },
    statuses: { proposed: 'مقترح', resolved: 'معتمد', rejected: 'مرفوض' },
    as: 'بصفة',
    unknown: 'غير معروف',
    arrow: '←',
  },
}
