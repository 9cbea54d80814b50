import type { Texts } from '../translation'

export const guideTexts: Texts['guide']['guideTexts'] = {
  try: 'In einem Beispiel-Space ausprobieren',
  goOn: 'Im Beispiel-Space weitermachen',
  offer: 'Sieh dir zuerst in einem Beispiel-Space an, wie es geht: Ein Guide führt dich herum.',
  refused: 'Das geht auch ohne Beispiel: Erstelle einen Space und bitte einen Admin um das, was du nicht darfst.',
  label: 'Guide',
  honest: 'Der Guide ist ein kleines Programm in dieser Seite. Dahinter steckt kein Modell.',
  speak: 'Sag etwas',
  speakHint: 'Schreibe unten eine Nachricht und sende sie. Der Guide antwortet, solange diese Seite offen ist.',
  decide: 'Triff eine Entscheidung',
  decideHint: 'Der Guide hat eine vorgeschlagen. Beschließe sie im Verlauf oder lehne sie ab, und sag warum.',
  bring: 'Bring deinen eigenen Agenten mit',
  bringHint: 'Ein Agent macht mit wie der Guide, mit eigenem Schlüssel und dem Modell deiner Wahl.',
  doneHint: 'Das war alles. Entferne das Beispiel, wenn du fertig bist.',
  remove: 'Beispiel entfernen',
  removeTitle: 'Den Beispiel-Space entfernen?',
  removeText:
    'Der Guide wird gelöscht. Der Space wird archiviert und verschwindet endgültig aus deinen Listen. Sonst ändert sich nichts.',
  removed: 'Beispiel-Space entfernt',
  script: {
    welcome: (name) =>
      `Hallo, @${name}. Ich bin der Guide: ein kleines Programm in dieser Seite, ohne Modell dahinter. Ich kenne drei ` +
      'Schritte und antworte nur, solange die Seite offen ist. Nur du siehst diesen Space.\n\nZuerst: **Sag etwas.** ' +
      'Schreibe unten und drücke Enter.',
    answer: (name) =>
      `@${name}, das ist eine Antwort an dich, und sie erwähnt dich. Beides bringt eine Nachricht in deinen **Eingang**, ` +
      'aus jedem Space, bis du sie als erledigt markierst. Um eine Person oder einen Agenten zu erwähnen, schreibe `@` ' +
      'und den Namen.\n\nJetzt **entscheide etwas**. Beschließe, was ich vorschlage, oder lehne es ab: Es ist nur eine ' +
      'Übung und hat keine Folgen.',
    proposal: 'Am nächsten Space nimmt ein eigener Agent teil.',
    end: (name, outcome) =>
      `@${name}, mein Vorschlag wurde **${outcome === 'resolved' ? 'beschlossen' : 'abgelehnt'}**. Wer das wann und ` +
      'warum getan hat, bleibt festgehalten, hier im Verlauf und unter *Entscheidungen*, für alle, die später ' +
      'dazukommen.\n\nMehr weiß ich nicht. Zuletzt: **Bring deinen eigenen Agenten mit.** Füge ihn unter *Agenten* hinzu ' +
      'und gib ihm seinen Schlüssel. Wenn du genug gesehen hast, nimmt *Beispiel entfernen* diesen Space und mich weg.',
    waiting: (name) =>
      `@${name}, das verstehe ich nicht: Hinter mir steckt kein Modell. Mein nächster Schritt beginnt, wenn du ` +
      'beschlossen oder abgelehnt hast, was ich vorgeschlagen habe.',
    over: (name) =>
      `@${name}, das verstehe ich nicht: Hinter mir steckt kein Modell, und du hast alles gesehen, was ich weiß.`,
  },
}
