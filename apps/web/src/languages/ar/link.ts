import { list } from '../format'
import type { Texts } from '../translation'
import { andMore } from './nouns'

export const linksTexts: Texts['link']['linksTexts'] = {
  title: 'الروابط',
  add: 'إضافة رابط',
  emptyTitle: 'لا روابط بعد',
  emptyText: 'اربط هذه المساحة بمساحات أخرى، أو بصفحات مثل خطة أو مسألة. يمكن للبحث أن يتبع هذه الروابط.',
  graph: (space, targets, sources, more) =>
    [
      targets.length > 0 && `روابط من ${space} إلى ${list(targets)}.`,
      sources.length > 0 && `روابط إلى ${space} من ${list(sources)}.`,
      more > 0 && `${andMore(more)}.`,
    ]
      .filter(Boolean)
      .join(' '),
  more: (count) => `${andMore(count)} في الأسفل`,
  out: 'صادرة',
  into: 'واردة',
  remove: (target) => `إزالة الرابط إلى ${target}`,
  kind: 'إلى',
  kinds: { space: 'مساحة أخرى', page: 'صفحة' },
  space: 'المساحة',
  address: 'العنوان',
  type: 'نوع الرابط',
  typeHint: 'مثل follows أو blocks أو source. المبدئي: related.',
}
