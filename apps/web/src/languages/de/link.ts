import { list, number, plural } from '../format'
import type { Texts } from '../translation'

export const linksTexts: Texts['link']['linksTexts'] = {
  title: 'Links',
  add: 'Link hinzufügen',
  emptyTitle: 'Noch keine Links',
  emptyText:
    'Verlinke diesen Space mit anderen oder mit Seiten wie einem Plan oder Issue. Die Suche kann diesen Links folgen.',
  graph: (space, targets, sources, more) =>
    [
      targets.length > 0 && `${space} verlinkt auf ${list(targets)}.`,
      sources.length > 0 &&
        `${list(sources)} ${plural(sources.length, { one: 'verlinkt', other: 'verlinken' })} auf ${space}.`,
      more > 0 && plural(more, { one: 'Es gibt # weiteren.', other: 'Es gibt # weitere.' }),
    ]
      .filter(Boolean)
      .join(' '),
  more: (count) => `und ${number(count)} weitere unten`,
  out: 'Ausgehend',
  into: 'Eingehend',
  remove: (target) => `Link auf ${target} entfernen`,
  kind: 'Auf',
  kinds: { space: 'Einen anderen Space', page: 'Eine Seite' },
  space: 'Space',
  address: 'Adresse',
  type: 'Art des Links',
  typeHint: 'Zum Beispiel follows, blocks oder source. Ohne Angabe: related.',
}
