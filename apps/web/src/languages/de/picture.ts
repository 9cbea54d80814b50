import type { Texts } from '../translation'

export const pictureTexts: Texts['picture']['pictureTexts'] = {
  label: 'Bild',
  choose: 'Bild auswählen',
  remove: 'Entfernen',
  hint: 'Oder zieh eines hierher. Gezeigt wird das Quadrat in der Mitte.',
  unreadable: 'Dieser Browser kann die Datei nicht als Bild lesen: Wähle ein PNG, JPEG oder WebP.',
  ofAgent: (name) => `Bild von ${name}`,
}
