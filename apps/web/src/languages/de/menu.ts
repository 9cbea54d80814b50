import type { Texts } from '../translation'

type Menu = Texts['menu']

export const skipToContent: Menu['skipToContent'] = 'Zum Inhalt springen'

export const movedTexts: Menu['movedTexts'] = {
  title: 'Deine Organisation ist umgezogen',
  text: (location) =>
    `Deine Spaces sind jetzt bei ${location}, unter denselben Namen. Melde dich dort mit demselben Schlüssel an.`,
  open: (host) => `Diese Seite bei ${host} öffnen`,
  unsent: 'Das wurde nicht gesendet. Es bleibt in diesem Browser: Kopiere es, wenn du es noch senden willst.',
  unsentIn: (space) => `Nicht gesendet an ${space}`,
}

export const accountTexts: Menu['accountTexts'] = {
  menu: 'Konto:',
  switchTo: 'Konten',
  add: 'Konto hinzufügen',
  profile: 'Dein Profil bearbeiten…',
  signOut: 'Abmelden',
  theme: 'Darstellung',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  density: 'Abstände',
  densities: { comfortable: 'Weit', compact: 'Eng' },
  sendKey: 'Nachrichten senden mit',
  sendKeys: { enter: 'Enter', ctrlEnter: 'Strg+Enter' },
  apiDocs: 'API-Dokumentation',
}

export const navigationTexts: Menu['navigationTexts'] = {
  label: 'Hauptnavigation',
  home: 'Start',
  settings: 'Einstellungen',
  bar: 'Schnellnavigation',
  search: 'Suche',
  menu: 'Menü',
  spaces: 'Deine Spaces',
  noSpaces: 'Spaces, denen du beitrittst, erscheinen hier.',
  createSpace: 'Space erstellen',
  noConversations: 'Nachrichten an eine Person oder einen Agenten erscheinen hier.',
  sections: { pinned: 'Angeheftet', unread: 'Ungelesen', others: 'Andere', muted: 'Stumm' },
}

export const paletteTexts: Menu['paletteTexts'] = {
  title: 'Suchen oder springen',
  open: 'Suchen, springen…',
  placeholder: 'Spaces, Personen, Seiten, Nachrichten',
  here: 'In diesem Space',
  keys: 'Strg K',
  go: 'Gehe zu',
  people: 'Personen und Agenten',
  said: 'Nachrichten',
  theme: (theme) => `Darstellung: ${theme}`,
  density: (density) => `Abstände: ${density}`,
}

export const shortcutsTexts: Menu['shortcutsTexts'] = {
  title: 'Tastenkürzel',
  groups: [
    {
      title: 'Überall',
      rows: [
        ['?', 'Diese Liste anzeigen'],
        ['Strg K', 'Suchen oder springen'],
        ['Esc', 'Schließen, oder vom Feld zu den Nachrichten'],
      ],
    },
    {
      title: 'Nachrichten',
      rows: [
        ['c', 'Nachricht schreiben'],
        ['↑ ↓', 'Vorige und nächste Nachricht'],
        ['Ende', 'Neueste Nachricht'],
        ['r', 'Auf die gewählte Nachricht antworten'],
        ['t', 'Thread der gewählten Nachricht öffnen'],
        ['i', 'Details der gewählten Nachricht'],
        ['p', 'Entscheidung vorschlagen, auf ihrer Seite oder aus der gewählten Nachricht'],
      ],
    },
    {
      title: 'Schreiben',
      rows: [
        ['↑', 'Deine letzte Nachricht bearbeiten, im leeren Feld'],
        ['Strg B, I, E', 'Fett, kursiv, Code'],
        ['Strg K', 'Markierte Wörter verlinken'],
        ['Strg Umschalt 7, 8, 9', 'Nummerierte Liste, Liste, Zitat'],
      ],
    },
    {
      title: 'Eingang',
      rows: [
        ['j k', 'Nächster und voriger Eintrag'],
        ['Enter', 'Gewählten Eintrag öffnen'],
        ['r', 'Gewählten Eintrag beantworten'],
        ['e', 'Bis zum gewählten Eintrag als erledigt markieren'],
        ['z', 'Rückgängig'],
      ],
    },
  ],
}
