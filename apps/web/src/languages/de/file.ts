import { number } from '../format'
import { sizeInWords } from '../size'
import type { Texts } from '../translation'

type File = Texts['file']

export const attachTexts: File['attachTexts'] = {
  attach: 'Dateien anhängen',
  hint: (most, limit) =>
    `Bis zu ${number(most)} Dateien je Nachricht${limit === null ? '' : `, je bis zu ${sizeInWords(limit)}`}. Du kannst sie auch einfügen oder hineinziehen.`,
  drop: 'Dateien hier ablegen',
  list: 'Angehängte Dateien',
  tooMany: (most) => `Eine Nachricht hat höchstens ${number(most)} Dateien. Sende die anderen mit der nächsten.`,
  needsText: 'Schreibe eine Nachricht zu den Dateien.',
  hasFailed: 'Versuche die fehlgeschlagenen Dateien erneut oder entferne sie.',
  waiting: 'Wartet',
  waitsForConnection: 'Wartet auf die Verbindung',
  progress: (sent, size) => `${sizeInWords(sent)} von ${sizeInWords(size)}`,
  uploading: (name) => `${name} wird hochgeladen`,
  uploaded: 'Bereit',
  status: (done, all) => `${number(done)} von ${number(all)} Dateien hochgeladen`,
  cancel: (name) => `${name} abbrechen`,
  remove: (name) => `${name} entfernen`,
  retry: (name) => `${name} erneut versuchen`,
  tooLarge: (limit) => `Zu groß: Dateien haben höchstens ${sizeInWords(limit)}`,
  gone: 'Dieser Browser hat sie nicht mehr: Hänge sie noch einmal an',
  unreadable: 'Sie lässt sich nicht lesen: Ist sie ein Ordner?',
  notUploaded: (name, reason) => `${name}: ${reason}`,
  pasted: (time) => `Eingefügt ${time}`,
}

export const fileTexts: File['fileTexts'] = {
  list: 'Dateien',
  open: (name) => `${name} öffnen`,
  download: 'Herunterladen',
  downloadNamed: (name) => `${name} herunterladen`,
  gone: { deleted: 'Gelöscht', erased: 'Getilgt', unavailable: 'Nicht mehr verfügbar' },
  noImage: 'Kein Bild',
  erasedName: 'Getilgte Datei',
  sha256: (name) => `SHA-256 von ${name}`,
}

export const viewerTexts: File['viewerTexts'] = {
  previous: 'Vorherige Datei',
  next: 'Nächste Datei',
  at: (at, all) => `${number(at)} von ${number(all)}`,
  noPreview: 'Keine Vorschau',
  noPreviewText: 'Dateien dieser Art werden hier nicht gezeigt. Lade sie herunter, um sie zu öffnen.',
  deletedTitle: 'Diese Datei wurde gelöscht',
  deletedText: 'Ihr Name und ihr Hash bleiben im Verlauf, ihr Inhalt ist weg.',
  goneTitle: 'Diese Datei ist nicht verfügbar',
  goneText: 'Sie wurde entfernt, oder du hast keinen Zugriff mehr.',
  cut: (size) => `Nur der Anfang (${sizeInWords(size)}) wird gezeigt.`,
  rows: (shown, all) => `Nur ${number(shown)} von ${number(all)} Zeilen werden gezeigt.`,
  content: (name) => `Inhalt von ${name}`,
  empty: 'Die Datei ist leer.',
}

export const filesPanelTexts: File['filesPanelTexts'] = {
  title: 'Dateien',
  list: 'Dateien in diesem Space',
  emptyTitle: 'Noch keine Dateien',
  emptyText: 'Hänge Dateien an, füge sie ein oder ziehe sie hinein, wenn du schreibst. Alle hier sehen sie.',
  more: 'Ältere Dateien zeigen',
  actions: (name) => `Aktionen für ${name}`,
  toMessage: 'Zur Nachricht',
  unsent: 'Noch nicht gesendet',
  delete: 'Löschen…',
  deleteTitle: (name) => `${name} löschen?`,
  deleteText:
    'Der Inhalt wird für alle entfernt und lässt sich nicht wiederherstellen. Die Nachricht und der Name der Datei bleiben im Verlauf.',
  deleteConfirm: 'Löschen',
}
