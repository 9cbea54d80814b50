import type { Texts } from '../translation'

type Incoming = Texts['incoming']

export const incomingTexts: Incoming['incomingTexts'] = {
  title: 'Eingehende Webhooks',
  lead: (space) => `Adressen, an denen andere Programme in ${space} schreiben, jedes als ein eigener Agent.`,
  create: 'Neuer eingehender Webhook',
  emptyTitle: 'Noch schreibt hier kein Programm',
  emptyText: 'Erstelle eine Adresse für Grafana, GitHub, einen Build oder ein Skript und trage sie dort ein.',
  ask: 'Nur Besitzer des Space erstellen sie.',
  active: 'Aktiv',
  disabled: 'Ausgeschaltet',
  formats: { slack: 'Format von Slack', github: 'GitHub', json: 'JSON', standard: 'Standard Webhooks' },
  created: 'Erstellt',
  menu: (name) => `Aktionen für ${name}`,
  deliveries: 'Zustellungen',
  enable: 'Einschalten',
  disable: 'Ausschalten',
  rotate: 'Secret ersetzen…',
  rotateTitle: 'Das Secret ersetzen?',
  rotateText: 'Das alte gilt sofort nicht mehr: Das Programm schreibt erst wieder, wenn es das neue hat.',
  rotateSubmit: 'Secret ersetzen',
  delete: 'Löschen…',
  deleteTitle: (name) => `${name} löschen?`,
  deleteText: 'Die Adresse gilt nicht mehr. Nachrichten und Agent bleiben. Das lässt sich nicht rückgängig machen.',
  deleteSubmit: 'Löschen',
  secret: {
    title: 'Adresse und Secret',
    text: 'Trage beides im Programm ein. Das Secret wird nicht noch einmal gezeigt.',
    label: 'Secret',
    address: 'Adresse',
    inAddressTitle: 'Adresse',
    inAddressText: 'Trage sie im Programm ein. Sie enthält das Secret und wird nicht noch einmal gezeigt.',
  },
}

export const createIncomingTexts: Incoming['createIncomingTexts'] = {
  text: 'Ein Programm mit dieser Adresse schreibt in diesem Space als ein Agent, für den du bürgst.',
  name: 'Name',
  nameHint: 'Unter diesem Namen erscheinen die Nachrichten.',
  format: 'Was das Programm sendet',
  hints: {
    slack: 'Für Programme, die an Slack senden, wie Grafana, Alertmanager und Jenkins: Die Adresse genügt.',
    github: 'Für Webhooks eines Repositorys oder einer Organisation, mit dem Content-Type application/json.',
    json: 'Für Skripte: ein Objekt mit einem Text, und das Secret als Bearer-Token.',
    standard: 'Für Sender, die ihre Anfragen nach Standard Webhooks signieren.',
  },
  submit: 'Erstellen',
}

export const deliveriesTexts: Incoming['deliveriesTexts'] = {
  title: (name) => `Zustellungen an ${name}`,
  text: 'Die letzten 20 Anfragen mit dem richtigen Secret, die neueste zuerst.',
  none: 'Noch wurde nichts gesendet, oder nicht mit dem richtigen Secret.',
  accepted: 'Angenommen',
  refused: 'Abgelehnt',
  request: 'Anfrage',
  showMessage: 'Nachricht zeigen',
  nothingPosted: 'Nichts zu schreiben',
}
