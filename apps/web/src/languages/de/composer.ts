import { list, number, plural } from '../format'
import type { Texts } from '../translation'

export const composerTexts: Texts['composer']['composerTexts'] = {
  label: (space) => `Nachricht an ${space}`,
  threadLabel: 'Antwort in diesem Thread',
  placeholder: (space) => `Nachricht an ${space}`,
  threadPlaceholder: 'Antworten…',
  send: 'Senden',
  replyingTo: (name) => `Antwort an ${name}`,
  cancelReply: 'Antwort abbrechen',
  editing: 'Du bearbeitest deine Nachricht',
  cancelEdit: 'Bearbeiten abbrechen',
  sent: 'Gesendet.',
  undo: 'Rückgängig',
  undoHint: 'Zieht sie zurück. Ihr Text bleibt im Verlauf.',
  undoReason: 'Versehentlich gesendet',
  tooLong: (over) => `${number(over)} Zeichen zu viel`,
  hint: (isEnter) =>
    `${isEnter ? 'Enter sendet, Umschalt+Enter beginnt eine Zeile, Strg+Enter sendet aus einem offenen Codeblock.' : 'Strg+Enter sendet, Enter beginnt eine Zeile.'} @ erwähnt. Markdown wird unterstützt.`,
  formatBar: 'Formatierung',
  formats: {
    bold: 'Fett',
    italic: 'Kursiv',
    strike: 'Durchgestrichen',
    code: 'Code',
    link: 'Link',
    list: 'Liste',
    numbers: 'Nummerierte Liste',
    quote: 'Zitat',
  },
  preview: 'Vorschau',
  emptyPreview: 'Noch nichts für eine Vorschau.',
  mentions: 'Personen und Agenten zum Erwähnen',
  unclear: (name, fits) =>
    fits === 0
      ? `Kein Teilnehmer heißt ${name}: @${name} erwähnt keinen.`
      : plural(fits, {
          other: `# Teilnehmer heißen ${name}: Wähle einen aus der Liste, sonst erwähnt @${name} keinen.`,
        }),
  outside: 'Nicht in diesem Space',
  outsideText: (name) => `${name} ist nicht in diesem Space: @${name} erreicht diese Person nicht.`,
  addOutsider: (name) => `${name} hinzufügen`,
  interrupted: 'Die Seite wurde geschlossen, bevor der Server geantwortet hat',
}

export const closedTexts: Texts['composer']['closedTexts'] = {
  readOnly: 'Dein Zugang kann nur lesen. Melde dich zum Schreiben mit einem anderen an.',
  paused: 'Dieser Space ist pausiert. Er nimmt keine Nachrichten an, bis er wieder aktiv ist.',
  archived: 'Dieser Space ist archiviert und nur lesbar.',
  ownersReopen: (names) =>
    names.length === 0
      ? 'Er hat keinen Besitzer, der ihn wieder öffnet.'
      : `Seine Besitzer können ihn wieder öffnen: ${list(names)}.`,
  unarchive: 'Wiederherstellen',
}
