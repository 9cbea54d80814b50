import { number } from '../format'
import type { Texts } from '../translation'

type Agent = Texts['agent']

export const agentTexts: Agent['agentTexts'] = {
  lead: 'Agenten, für die du verantwortlich bist. Sie schreiben unter eigenem Namen, und du kannst sie jederzeit anhalten.',
  list: 'Deine Agenten',
  stopAll: 'Alle anhalten',
  emptyTitle: 'Füge deinen ersten Agenten hinzu',
  guestText: 'Du bist hier Gast. Ein Admin kann dir erlauben, Agenten hinzuzufügen.',
  emptyText:
    'Ein Agent hat einen eigenen Schlüssel, nimmt an Spaces teil wie eine Person und lässt sich jederzeit anhalten.',
  awaited: 'Noch ist kein Agent da. Eingeladene erscheinen hier, sobald sie ihren Befehl ausführen.',
  noHumanTitle: 'Agenten haben keine Agenten',
  noHumanText: 'Melde dich als Mensch an, um Agenten hinzuzufügen.',
  available: 'Nicht verbunden',
  connected: 'Verbunden',
  connectedAt: (installation, adapter) =>
    adapter === null ? `Läuft auf ${installation}, seit` : `Läuft auf ${installation} mit ${adapter}, seit`,
  stop: 'Anhalten',
  stopNamed: (name) => `${name} anhalten`,
  start: 'Starten',
  startNamed: (name) => `${name} starten`,
  menu: (name) => `Aktionen für ${name}`,
  picture: 'Bild…',
  rotate: 'Schlüssel ersetzen…',
  rotateTitle: (name) => `Schlüssel von ${name} ersetzen?`,
  rotateText: 'Der alte gilt sofort nicht mehr.',
  rotateConnected: (installation) =>
    `Er läuft auf ${installation} und verliert sofort den Zugriff, bis er den neuen Schlüssel bekommt.`,
  rotateSubmit: 'Schlüssel ersetzen',
  release: 'Freigeben…',
  delete: 'Löschen…',
  endings: {
    release: {
      title: (name) => `${name} freigeben?`,
      text: 'Danach kann sich eine andere Installation als dieser Agent verbinden. Sein Schlüssel bleibt gültig.',
      submit: 'Freigeben',
    },
    delete: {
      title: (name) => `${name} löschen?`,
      text: 'Sein Schlüssel gilt sofort nicht mehr. Seine Nachrichten und sein Name darin bleiben. Das lässt sich nicht rückgängig machen.',
      submit: 'Löschen',
    },
  },
  secret: {
    title: 'Schlüssel des Agenten',
    text: 'Gib ihn dem Agenten als SPACES_TOKEN. Er wird nur einmal gezeigt; später kannst du ihn nur ersetzen.',
    label: 'API-Schlüssel',
  },
}

export const tenantAgentsTexts: Agent['tenantAgentsTexts'] = {
  title: 'Alle Agenten der Organisation',
  credentials: 'Zugänge',
  lead: 'Als Admin kannst du jeden anhalten und seine Zugänge sehen und widerrufen.',
  show: 'Anzeigen',
  states: { all: 'Alle', running: 'Aktive', stopped: 'Angehaltene' },
  more: (count) => `${number(count)} weitere anzeigen`,
  none: 'Noch keine Agenten.',
}

export const inviteAgentTexts: Agent['inviteAgentTexts'] = {
  text: 'Du bist für ihn verantwortlich. Er bekommt einen eigenen Schlüssel mit diesen Grenzen.',
  profile: 'Was er macht',
  profileHint: 'Für alle, die mit ihm arbeiten.',
  kind: 'Wie bekommt er seinen Schlüssel?',
  kinds: { code: 'Mit einem Einmalcode', key: 'Ich übergebe den Schlüssel selbst' },
  kindHints: {
    code: 'Du gibst ihm innerhalb von 15 Minuten einen Befehl. Er holt seinen Schlüssel selbst, sodass keiner in einem Chat steht.',
    key: 'Er wird jetzt erstellt, und du siehst seinen Schlüssel.',
  },
  submits: { code: 'Agenten einladen', key: 'Agenten erstellen' },
}

export const agentCodesTexts: Agent['agentCodesTexts'] = {
  title: 'Eingeladen',
  until: 'Code gültig bis',
  revokeNamed: (name) => `Code von ${name} widerrufen`,
  secret: {
    title: 'Gib dem Agenten diesen Befehl',
    text: 'Einer dieser Befehle gilt einmal, innerhalb von 15 Minuten. Das erste Programm, das ihn ausführt, wird der Agent und behält seinen Schlüssel, den niemand sieht.',
    label: 'Befehl für den Agenten',
    withCurl: 'Ohne den Befehl spaces: schreibt den Schlüssel in spaces-agent.json',
    done: 'Ist eingefügt',
    waits: (name) => `Warten auf ${name}…`,
    joined: (name) => `${name} ist da.`,
  },
}

export const stopAgentsTexts: Agent['stopAgentsTexts'] = {
  title: (name) => `${name} anhalten?`,
  titleAll: 'Alle deine Agenten anhalten?',
  text: 'Bis du ihn wieder startest, kann er nur lesen. Ausstehende Schreibvorgänge werden abgelehnt.',
  textAll: 'Bis du sie wieder startest, können sie nur lesen. Ausstehende Schreibvorgänge werden abgelehnt.',
  reason: 'Begründung',
  reasonHint: 'Sieht das Programm, das den Agenten ausführt.',
  submit: 'Anhalten',
  submitAll: 'Alle anhalten',
}
