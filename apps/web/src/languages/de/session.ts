import type { Texts } from '../translation'

type Session = Texts['session']

export const welcomeTexts: Session['welcomeTexts'] = {
  title: 'Wo Menschen und Agenten zusammenarbeiten',
  lead: 'Jeder Space hat einen Verlauf in einer Reihenfolge, für alle gleich. Er zeigt immer, wer was wirklich geschrieben hat.',
  signIn: 'Anmelden',
  signUp: 'Konto erstellen',
  ended: (name) => `Der Schlüssel von ${name} gilt nicht mehr. Melde dich wieder an.`,
  invited: 'Du bist eingeladen. Erstelle ein Konto, oder melde dich an, um in die einladende Organisation zu wechseln.',
  back: 'Zurück',
  cards: {
    human: 'Nehmen wir den frühen Zug?',
    agent: 'Der um 7:12 Uhr kommt eine Stunde vor den anderen an.',
    decision: 'Wir nehmen den um 7:12 Uhr',
  },
  decided: 'Beschlossen von Ada',
}

export const signInTexts: Session['signInTexts'] = {
  key: 'API-Schlüssel oder Token',
  keyHint: 'Beginnt mit svc_. Er bleibt in diesem Tab, außer du bleibst angemeldet.',
  malformed: 'Ein Schlüssel beginnt mit svc_ und hat keine Leerzeichen',
  refused: 'Ungültiger API-Schlüssel',
  remember: 'Auf diesem Gerät angemeldet bleiben',
  rememberHint: 'Nur wenn du diesen Browser allein verwendest.',
  submit: 'Anmelden',
  withProvider: (name) => `Weiter mit ${name}`,
  withPasskey: 'Mit einem Passkey anmelden',
  withEmail: 'Mit einem Link per E-Mail anmelden',
  passkeysAt: 'Passkeys funktionieren nur unter',
}

export const emailLinkTexts: Session['emailLinkTexts'] = {
  address: 'E-Mail-Adresse',
  hint: 'Eine, die du deinem Konto hinzugefügt hast.',
  send: 'Link senden',
  sent: 'Sieh in deine E-Mails',
  sentText: (address) =>
    `Wenn sich ein Konto mit ${address} anmeldet, ist ein Link unterwegs. Öffne ihn innerhalb von zehn Minuten in diesem Browser.`,
  confirmText: (address) =>
    `Wir haben einen Link an ${address} gesendet. Öffne ihn innerhalb von zehn Minuten in diesem Browser.`,
  resend: 'Link erneut senden',
  change: 'Andere Adresse verwenden',
  confirming: 'Deine Adresse wird bestätigt',
  confirmed: 'Adresse bestätigt',
  confirmedText: 'Ab jetzt kannst du dich mit einem Link per E-Mail anmelden. Du kannst diesen Tab schließen.',
  elsewhere:
    'Dieser Link funktioniert nur in dem Browser, in dem er angefordert wurde, für zehn Minuten. Öffne ihn dort, oder fordere einen neuen an.',
  retry: 'Erneut versuchen',
  account: 'Konto und Sicherheit',
}

export const callbackTexts: Session['callbackTexts'] = {
  title: 'Du wirst angemeldet',
  text: 'Einen Moment.',
  failedTitle: 'Anmeldung fehlgeschlagen',
  denied: 'Der Identitätsanbieter hat die Anmeldung abgelehnt.',
  refused: 'Der Identitätsanbieter hat einen Fehler gemeldet.',
  failed: 'Diese Anmeldung begann nicht in diesem Tab oder wurde abgebrochen. Beginne neu.',
  back: 'Neu beginnen',
}

export const commandTexts: Session['commandTexts'] = {
  title: 'Befehlszeile erlauben',
  lead: 'Der Befehl spaces auf diesem Gerät hat diese Seite geöffnet.',
  question: (command, person) => `Dem Befehl auf ${command} erlauben, als ${person} zu handeln?`,
  nothing: 'Kein Befehl fragt nach Zugriff. Führe aus: spaces login',
  allow: 'Erlauben',
}

export const deviceTexts: Session['deviceTexts'] = {
  title: 'Befehlszeile auf einem anderen Gerät erlauben',
  lead: 'Mach nur weiter, wenn du dort gerade spaces login ausgeführt hast. Gib nie einen Code ein, den du zugeschickt bekommen hast: Der Absender könnte dann als du handeln.',
  codeTitle: 'Code eingeben',
  code: 'Code',
  codeHint: 'Die acht Buchstaben, die der Befehl zeigt.',
  next: 'Weiter',
  from: (address) => `Die Anfrage kommt von ${address ?? 'dem Gerät des Servers'}.`,
  refuse: 'Ablehnen',
  allowed: 'Erlaubt. Du kannst diese Seite schließen.',
  refused: 'Abgelehnt.',
}

export const signUpTexts: Session['signUpTexts'] = {
  name: 'Dein Name',
  email: 'E-Mail',
  emailHint: 'Sichtbar für alle, mit denen du arbeitest. Es wird keine E-Mail gesendet.',
  code: 'Einladungscode oder -link',
  codeHint: 'Nur wenn du einen bekommen hast.',
  haveCode: 'Ich habe eine Einladung',
  submit: 'Konto erstellen',
}

export const redeemTexts: Session['redeemTexts'] = {
  title: 'Einladung einlösen',
  text: 'Du und die Agenten, für die du verantwortlich bist, wechseln in die einladende Organisation. Deine früheren Nachrichten bleiben, wo sie sind.',
  submit: 'Einlösen',
}
