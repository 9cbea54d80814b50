import { list, number, plural } from '../format'
import type { Texts } from '../translation'

type History = Texts['history']

export const connectionTexts: History['connectionTexts'] = {
  offline: 'Du bist offline. Was du siehst, bleibt verfügbar.',
  silent: 'Der Server antwortet nicht. Neuer Versuch…',
  reconnecting: 'Neu verbinden…',
}

export const historyTexts: History['historyTexts'] = {
  label: (space) => `Verlauf von ${space}`,
  beginningOf: (space) => `Hier beginnt ${space}.`,
  emptyTitle: 'Beginne das Gespräch',
  emptyText: 'Menschen und Agenten lesen hier denselben Verlauf. Teile den Link oder füge einen Agenten hinzu.',
  privateText: 'Nur die Teilnehmer sehen diesen Space. Füge Personen oder einen Agenten hinzu.',
  addPeople: 'Teilnehmer hinzufügen',
  conversationTitle: (name) => `Schreibe an ${name}`,
  conversationText: 'Nur die Mitglieder lesen diese Unterhaltung. Jede Nachricht erreicht den Eingang der anderen.',
  silentTitle: 'Keine Nachrichten',
  silentText: 'Der Space wurde vor der ersten Nachricht pausiert oder archiviert.',
  loadingOlder: 'Frühere Nachrichten werden geladen',
  toNewest: 'Zur neuesten',
  newBelow: (count) => `${number(count)} neu`,
  toUnread: 'Zur ersten ungelesenen',
  inThread: 'In einem Thread',
  imported: 'importiert',
  replies: (count) => plural(count, { one: '# Antwort', other: '# Antworten' }),
  parentGone: 'Antwort auf eine frühere Nachricht',
  reply: 'Antworten',
  openThread: 'Thread öffnen',
  startThread: 'Im Thread antworten',
  details: 'Details',
  copyText: 'Text kopieren',
  copyLink: 'Link zur Nachricht kopieren',
  actions: 'Aktionen der Nachricht',
  by: (name, time) => `${name}, ${time}`,
  references: 'Bezieht sich auf',
  showMore: 'Alles anzeigen',
  showLess: 'Weniger anzeigen',
  sending: 'Wird gesendet…',
  waits: 'Wartet auf die Verbindung. Sie wird von selbst gesendet.',
  failed: 'Nicht gesendet',
  retry: 'Erneut senden',
  discard: 'Verwerfen',
}

export const revisionTexts: History['revisionTexts'] = {
  edit: 'Bearbeiten',
  edited: '(bearbeitet)',
  showHistory: 'Frühere Texte anzeigen',
  corrects: 'Korrektur',
  retract: 'Zurückziehen',
  retractTitle: 'Diese Nachricht zurückziehen?',
  retractText:
    'Die anderen sehen, dass du sie zurückgezogen hast. Gelöscht ist sie nicht: Ihr Text bleibt im Verlauf, wo ihn alle hier öffnen können.',
  reason: 'Zurückgezogen',
  history: 'Texte',
}

export const transcriptTexts: History['transcriptTexts'] = {
  row: (poster, lines, time) => `${number(lines)} Zeilen eines Transkripts, gesendet von ${poster}, ${time}`,
  speakers: (names, more) => (more > 0 ? `${names.join(', ')} und ${number(more)} weitere` : list(names)),
  toggle: (lines, isOpen) => `${number(lines)} Zeilen eines Transkripts ${isOpen ? 'verbergen' : 'anzeigen'}`,
}

export const actsTexts: History['actsTexts'] = {
  by: (who, did, time) => `${who} ${did}, ${time}`,
  proposed: 'schlägt eine Entscheidung vor',
  reviewed: { approve: 'befürwortet', reject: 'befürwortet nicht:' },
  tookBack: 'zieht die Zustimmung zurück zu',
  settled: { resolved: 'beschließt', rejected: 'verwirft' },
  superseded: 'ersetzt',
  used: 'verwendet die Aktion von',
  participant_added: 'fügt hinzu:',
  participant_removed: 'entfernt',
  comma: ',',
  more: (count) => `und ${number(count)} weitere`,
  decision: 'eine Entscheidung',
  open: 'Entscheidung öffnen',
  propose: 'Als Entscheidung vorschlagen',
  source: (name) => `Aus einer Nachricht von ${name}`,
}

export const detailsTexts: History['detailsTexts'] = {
  title: 'Details der Nachricht',
  id: 'ID der Nachricht',
  speaker: 'Sprecher (zugeschrieben)',
  poster: 'Gesendet von (authentifiziert)',
  claimed: 'nicht der Absender',
  kind: 'Art des Sprechers',
  time: 'Zeit',
  imported: 'Importiert',
  parent: 'Antwort auf',
  metadata: 'Metadaten',
  receipts: 'Empfang',
  receiptStates: {
    waiting: 'noch nicht abgerufen',
    unreachable: 'nicht erreichbar',
    seen: 'gesehen',
    working: 'arbeitet daran',
    answered: 'beantwortet',
    declined: 'abgelehnt',
    stopped: 'angehalten',
  },
  lastSeen: (time) => `zuletzt gesehen ${time}`,
  doneSilently: 'ohne Antwort als erledigt markiert',
  moreReceipts: (count) => `und ${number(count)} weitere`,
}

export const threadTexts: History['threadTexts'] = {
  title: 'Thread',
  row: (name, time) => `Thread, letzte Antwort von ${name}, ${time}`,
  open: (count, isWhole) =>
    `Thread öffnen: ${isWhole ? plural(count, { one: '# Antwort', other: '# Antworten' }) : `${number(count)} oder mehr Antworten`}`,
  continuesLater: (count) =>
    `${plural(count, { one: '# Antwort', other: '# Antworten' })} in einem Thread, der unten weitergeht`,
}
