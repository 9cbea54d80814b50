import { list, plural } from '../format'
import type { Texts } from '../translation'

export const activityTexts: Texts['activity']['activityTexts'] = {
  title: 'Aktivität',
  windows: { hour: 'Letzte Stunde', day: 'Letzte 24 Stunden', week: 'Letzte 7 Tage', month: 'Letzte 30 Tage' },
  now: 'Jetzt',
  emptyTitle: 'Keine Aktivität',
  emptyText: 'In diesem Zeitraum gibt es keine Nachrichten. Wähle einen längeren.',
  total: (events, speakers) =>
    `${plural(events, { one: '# Nachricht', other: '# Nachrichten' })} von ${plural(speakers, { one: '# Person oder Agent', other: '# Personen oder Agenten' })}`,
  silent: (count) =>
    plural(count, { one: '# Teilnehmer hat nichts geschrieben', other: '# Teilnehmer haben nichts geschrieben' }),
  also: (names) => `und ${list(names)}`,
  timeline: (name, count) => `${name}: ${plural(count, { one: '# Nachricht', other: '# Nachrichten' })}`,
}
