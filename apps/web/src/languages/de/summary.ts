import { number } from '../format'
import type { Texts } from '../translation'

export const summaryTexts: Texts['summary']['summaryTexts'] = {
  title: 'Zusammenfassung',
  windows: { day: 'Letzte 24 Stunden', week: 'Letzte 7 Tage', all: 'Alles', days: 'Eigener Zeitraum' },
  first: 'Von',
  last: 'Bis',
  submit: 'Zusammenfassen',
  emptyTitle: 'Schnell auf dem Stand',
  emptyText: 'Jeder Satz verlinkt auf seine Nachrichten, sodass du ihn prüfen kannst.',
  by: (model) => `geschrieben von ${model}`,
  byBuiltIn: 'aus den Nachrichten entnommen',
  again: 'Neu erstellen',
  citation: (position) => `Quelle ${number(position)}`,
}
