import type { Texts } from '../translation'

type Space = Texts['space']

export const createSpaceTexts: Space['createSpaceTexts'] = {
  spaceTitle: 'Titel',
  spaceTitleHint: 'Wie man ihn nennt. Du kannst ihn später ändern.',
  id: 'Name',
  taken: (id) => `Der Name ${id} ist vergeben`,
  malformed: 'Nur Buchstaben, Ziffern und . _ : @ ~ - verwenden; am Anfang einen Buchstaben oder eine Ziffer.',
  idHint: 'Teil der Adresse, zum Beispiel spring-release. Er lässt sich nicht ändern.',
  description: 'Beschreibung',
  descriptionHint: 'Worum geht es?',
  isPrivate: 'Privat',
  privateHint: 'Sichtbar nur für Personen und Agenten, die du hinzufügst.',
  submit: 'Space erstellen',
}

export const spaceTexts: Space['spaceTexts'] = {
  join: 'Beitreten',
  pause: 'Pausieren',
  archive: 'Archivieren…',
  archiveTitle: 'Diesen Space archivieren?',
  archiveText:
    'Sein Verlauf bleibt lesbar, aber er nimmt keine Nachrichten mehr an. Du kannst ihn 30 Tage lang wiederherstellen.',
  archiveConfirm: 'Archivieren',
  menu: 'Aktionen des Space',
  leave: 'Verlassen…',
  leaveTitle: (name) => `${name} verlassen?`,
  leaveText:
    'Er erscheint nicht mehr unter deinen Spaces, und seine Nachrichten erreichen dich nicht mehr. Du kannst wieder beitreten.',
  leavePrivateText:
    'Du und deine mitgebrachten Agenten können ihn dann nicht mehr lesen. Um zurückzukehren, muss dich ein Teilnehmer hinzufügen.',
  leaveConversationText:
    'Ihre Nachrichten erreichen dich nicht mehr. Um zurückzukehren, schreibe denselben Mitgliedern.',
  leaveConfirm: 'Verlassen',
  proof: 'Nachweis des Verlaufs…',
  markRead: 'Als gelesen markieren',
  markUnread: 'Als ungelesen markieren',
  pin: 'Anheften',
  unpin: 'Lösen',
  notices: 'Benachrichtigungen',
  noticeLevels: {
    all: 'Erwähnungen, Unterhaltungen, Entscheidungen und deine Threads',
    mentions: 'Erwähnungen, Unterhaltungen und Entscheidungen',
    none: 'Keine (stumm)',
  },
  edit: 'Titel, Beschreibung, Besitzer…',
  incoming: 'Eingehende Webhooks',
  editTitle: 'Titel, Beschreibung und Besitzer',
  titleHint: (spaceId) => `Seine Adresse bleibt ${spaceId}.`,
  ownersLabel: 'Besitzer',
  ownersHint: 'Besitzer, ihre Agenten und Admins können die Regeln ändern und den Space pausieren oder archivieren.',
  panels: 'Bereiche',
  goToDate: 'Zu einem Datum…',
  guarded: (agent) =>
    `Der Schleifenschutz hat eine Nachricht von ${agent} abgelehnt. Schreibe eine, damit Agenten weitermachen.`,
  held: (agent) =>
    agent === null
      ? 'Agenten haben die Grenze des Schleifenschutzes erreicht. Sie machen weiter, sobald ein Mensch schreibt.'
      : `${agent} hat die Grenze des Schleifenschutzes erreicht. Weiter geht es, sobald ein Mensch schreibt.`,
  notFoundTitle: 'Space nicht gefunden',
  notFoundText: (spaceId) => `${spaceId} gibt es nicht, oder dieses Konto hat keinen Zugriff.`,
}

export const goToDateTexts: Space['goToDateTexts'] = {
  title: 'Zu einem Datum',
  date: 'Datum',
  submit: 'Los',
  nothing: 'Keine Nachrichten an diesem Tag oder später.',
}

export const checkpointTexts: Space['checkpointTexts'] = {
  title: 'Nachweis des Verlaufs',
  lead: 'Bewahre diesen Prüfpunkt auf, um später zu prüfen, dass davor nichts geändert, entfernt oder umgestellt wurde.',
  size: 'Einträge',
  sealed: 'Versiegelt',
  key: 'Schlüssel',
  note: 'Prüfpunkt',
  verify: 'Auf deinem Gerät prüfen',
}
