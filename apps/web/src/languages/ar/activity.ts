import { list, plural } from '../format'
import type { Texts } from '../translation'
import { messages } from './nouns'

export const activityTexts: Texts['activity']['activityTexts'] = {
  title: 'النشاط',
  windows: { hour: 'آخر ساعة', day: 'آخر 24 ساعة', week: 'آخر 7 أيام', month: 'آخر 30 يومًا' },
  now: 'الآن',
  emptyTitle: 'لا نشاط',
  emptyText: 'لا رسائل في هذه الفترة. اختر فترة أطول.',
  total: (events, speakers) =>
    `${messages(events)} من ${plural(speakers, { one: 'متحدث واحد', two: 'متحدثَين', few: '# متحدثين', many: '# متحدثًا', other: '# متحدث' })}`,
  silent: (count) =>
    plural(count, {
      one: 'مشارك واحد لم يكتب شيئًا',
      two: 'مشاركان لم يكتبا شيئًا',
      few: '# مشاركين لم يكتبوا شيئًا',
      many: '# مشاركًا لم يكتبوا شيئًا',
      other: '# مشارك لم يكتبوا شيئًا',
    }),
  also: (names) => `و${list(names)}`,
  timeline: (name, count) => `${name}: ${messages(count)}`,
}
