import { list, number, plural } from '../format'
import type { Texts } from '../translation'

type Credential = Texts['credential']

export const signInMethodTexts: Credential['signInMethodTexts'] = {
  title: 'Anmeldung und Sitzungen',
  emptyTitle: 'Du meldest dich mit deinem Schlüssel an',
  emptyText: 'Mit einem Passkey genügt dein Gerät. Dein Schlüssel bleibt als Reserve.',
  addPasskey: 'Passkey hinzufügen',
  addText: 'Dein Gerät oder Passwortmanager erstellt ihn und prüft dich jedes Mal.',
  addEmail: 'E-Mail-Adresse hinzufügen',
  addEmailText:
    'Danach kannst du dich mit Links anmelden, die dorthin gesendet werden. Wer Zugang zu diesem Postfach hat, hat dann Zugang zu deinem Konto.',
  bind: (name) => `${name} verbinden`,
  everywhere: 'Alle Sitzungen beenden',
  kinds: {
    passkey: 'Passkey',
    identity: 'Identität',
    session: 'Sitzung',
    grant: 'App',
    token: 'Token',
    api_key: 'API-Schlüssel',
  },
}

export const newKeyTexts: Credential['newKeyTexts'] = {
  title: 'Dein Schlüssel',
  text: 'Er ist dein Passwort für diesen Dienst und wird nur einmal gezeigt. Bewahre ihn in einem Passwortmanager auf.',
  label: 'API-Schlüssel',
}

export const grantsTexts: Credential['grantsTexts'] = {
  title: 'Verbundene Apps',
  actsAs: (name) => `Handelt als ${name}`,
}

export const endedTexts: Credential['endedTexts'] = {
  before: 'Das wurde damit erstellt und endet damit. Agenten werden angehalten, nicht gelöscht.',
  after: 'Das wurde damit erstellt und ist beendet. Agenten sind angehalten, nicht gelöscht.',
  more: (count) => `und ${number(count)} weitere, siehe Sicherheitsprotokoll`,
  kinds: {
    token: 'Token',
    session: 'Sitzung',
    grant: 'Freigabe für',
    passkey: 'Passkey',
    identity: 'Identität',
    api_key: 'API-Schlüssel von',
    agent: 'Agent',
    agent_code: 'Einladung des Agenten',
    invite: 'Einladung',
    notification_channel: 'Benachrichtigungen an',
    webhook: 'Webhook an',
  },
}

export const createTokenTexts: Credential['createTokenTexts'] = {
  text: 'Handelt als du, innerhalb dieser Grenzen.',
  nameHint: 'Wofür es ist, damit du es später erkennst.',
  submit: 'Token erstellen',
}

export const limitsTexts: Credential['limitsTexts'] = {
  scopes: 'Berechtigungen',
  scopeNames: {
    read: 'Lesen',
    write: 'Schreiben',
    react: 'Reagieren',
    settle: 'Entscheiden',
    manage: 'Verwalten',
    account: 'Konto',
  },
  scopeHints: {
    read: 'Spaces, Nachrichten, Suche',
    write: 'Schreiben, beitreten, vorschlagen',
    react: 'Auf Nachrichten reagieren',
    settle: 'Entscheidungen zustimmen, sie treffen',
    manage: 'Spaces ändern und archivieren, Webhooks',
    account: 'Zugänge, Agenten, Mitglieder',
  },
  allScopes: 'Voller Zugriff',
  spaces: 'Nur in diesen Spaces',
  spacesHint: 'Ohne Auswahl: in allen.',
  allSpaces: 'Alle Spaces',
  someSpaces: (names) =>
    names.length <= 2 ? list(names) : plural(names.length, { one: '# Space', other: '# Spaces' }),
  lifetime: 'Läuft ab',
  lifetimes: {
    day: 'Nach einem Tag',
    week: 'Nach einer Woche',
    month: 'Nach 30 Tagen',
    quarter: 'Nach 90 Tagen',
    year: 'Nach einem Jahr',
    always: 'Nie',
  },
  ends: 'Läuft ab',
  noEnd: 'Läuft nicht ab',
}

export const ownKeyTexts: Credential['ownKeyTexts'] = {
  title: 'Dein Schlüssel',
  current: 'Dein jetziger Zugang',
  rotate: 'Schlüssel ersetzen',
  rotateHint: 'Wenn ihn andere kennen könnten. Dieser Tab verwendet dann den neuen.',
  rotateTitle: 'Deinen Schlüssel ersetzen?',
  rotateText: 'Der alte gilt sofort nirgends mehr. Token bleiben gültig.',
  rotateSubmit: 'Schlüssel ersetzen',
  everywhere: 'Überall abmelden',
  everywhereHint:
    'Ersetzt den Schlüssel und beendet alles, was mit einem deiner Zugänge erstellt wurde. Nur dieser Tab bleibt angemeldet.',
  everywhereTitle: 'Überall abmelden?',
  everywhereText:
    'Der Schlüssel und jedes Token gelten sofort nicht mehr, auf allen Geräten und in allen Programmen. Deine Agenten werden angehalten.',
}

export const credentialsTexts: Credential['credentialsTexts'] = {
  title: 'Konto und Sicherheit',
  lead: 'Dein API-Schlüssel und die Token, die du Programmen gibst.',
  tokens: 'Token',
  create: 'Neues Token',
  emptyTitle: 'Gib Programmen Token, nicht deinen Schlüssel',
  emptyText:
    'Ein Token erlaubt nur, was ein Skript braucht, solange es das braucht, und lässt sich einzeln widerrufen.',
  showRevoked: 'Widerrufene anzeigen',
  revoked: 'Widerrufen',
  expired: 'Abgelaufen',
  neverUsed: 'Nie verwendet',
  lastUsed: 'Zuletzt verwendet',
  revokeNamed: (name) => `${name} widerrufen`,
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeText: 'Alles, was es verwendet, funktioniert sofort nicht mehr. Das lässt sich nicht rückgängig machen.',
  secret: {
    title: 'Dein Token',
    text: 'Es wird nur einmal gezeigt. Kopiere es jetzt. Verlierst du es, widerrufe es und erstelle ein anderes.',
    label: 'Token',
  },
}
