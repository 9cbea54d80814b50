import { list, number } from '../format'
import type { Texts } from '../translation'

export const reactionTexts: Texts['reaction']['reactionTexts'] = {
  react: 'إضافة تفاعل',
  more: 'رمز آخر…',
  title: 'اختر تفاعلًا',
  search: 'ابحث عن رمز تعبيري',
  list: 'التفاعلات',
  by: (emoji, names, more) => `${emoji} ${list(more > 0 ? [...names, `و${number(more)} غيرهم`] : names)}`,
}
