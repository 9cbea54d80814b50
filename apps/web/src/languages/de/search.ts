import { number, plural } from '../format'
import type { Texts } from '../translation'

export const searchTexts: Texts['search']['searchTexts'] = {
  title: 'Suche',
  words: 'Wörter',
  hint: '"eine Wortfolge", -nicht, or, from:ada, in:space, before:2026-11, after:, has:file, is:decision',
  suggestions: 'Möglichkeiten, die Suche einzugrenzen',
  operators: {
    'from:': 'Von einer Person oder einem Agenten',
    'in:': 'In einem Space',
    'before:': 'Vor einem Datum',
    'after:': 'Nach einem Datum',
    'has:file': 'Mit einer Datei',
    'is:thread': 'In einem Thread',
    'is:decision': 'Nur Entscheidungen',
  },
  dates: {
    today: 'Heute',
    yesterday: 'Gestern',
    month: 'Dieser Monat',
    lastMonth: 'Voriger Monat',
    year: 'Dieses Jahr',
  },
  where: 'Wo',
  places: { here: 'Dieser Space', linked: 'Dieser und verlinkte Spaces', everywhere: 'Alle deine Spaces' },
  sort: 'Sortierung',
  sorts: { newest: 'Neueste zuerst', relevance: 'Beste Treffer' },
  emptyTitle: 'Nachrichten durchsuchen',
  emptyText: 'Großschreibung, Akzente und Wortendungen spielen keine Rolle.',
  nothing: 'Keine Treffer. Versuche weniger Wörter oder alle deine Spaces.',
  found: (count, isFull) =>
    isFull ? `Die ersten ${number(count)}` : plural(count, { one: '# Treffer', other: '# Treffer' }),
}
