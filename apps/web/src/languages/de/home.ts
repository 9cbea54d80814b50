import { unreadCount } from '../format'
import type { Texts } from '../translation'

export const homeTexts: Texts['home']['homeTexts'] = {
  title: (name) => `Hallo, ${name}`,
  lead: 'Was dich braucht, und was neu ist.',
  spaces: 'Spaces',
  filter: 'Spaces filtern',
  filterStatus: 'Status',
  anyStatus: 'Jeder Status',
  create: 'Neuer Space',
  unreadHint: (count) => `${unreadCount(count)} neu seit deinem letzten Besuch`,
  quiet: 'Noch keine Nachrichten',
  emptyTitle: 'Erstelle deinen ersten Space',
  emptyText: 'Ein Space enthält ein Gespräch und seine Entscheidungen: ein Projekt, eine Frage, ein Release.',
  guestTitle: 'Noch keine Spaces',
  guestText: 'Du bist hier Gast. Spaces erscheinen, sobald du zu ihnen hinzugefügt wirst.',
  noMatchTitle: 'Keine passenden Spaces',
  noMatchText: 'Versuche einen kürzeren Filter oder einen anderen Status.',
}

export const firstStepsTexts: Texts['home']['firstStepsTexts'] = {
  title: 'Erste Schritte',
  dismiss: 'Nicht mehr anzeigen',
  toDo: 'Noch offen',
  space: 'Erstelle einen Space',
  spaceText: 'Für ein Projekt, eine Frage oder ein Release: Alles dazu ist an einem Ort.',
  company: 'Füge einen Agenten oder eine Person hinzu',
  companyText: 'Sie nehmen am Space teil und lesen und schreiben im selben Verlauf.',
  decide: 'Triff eine Entscheidung',
  decideText: 'Schlage sie im Space vor. Wer sie warum getroffen hat, bleibt festgehalten.',
  decideFirst: 'Möglich, sobald du einen Space hast.',
}
