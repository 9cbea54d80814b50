import { number } from '../format'
import type { Texts } from '../translation'
import { andMore } from './nouns'

export const conversationTexts: Texts['actor']['conversationTexts'] = {
  to: 'إلى',
  hint: 'أشخاص ووكلاء. تحتفظ المحادثة بالأعضاء الذين بدأت بهم، ولا يقرؤها سواهم.',
  tooMany: (limit) => `الحد الأقصى ${number(limit)}: أنشئ مساحة خاصة لعدد أكبر.`,
  submit: 'بدء',
}

export const cardTexts: Texts['actor']['cardTexts'] = {
  title: (name) => `نبذة عن ${name}`,
  unknown: 'لا تفاصيل متاحة: ربما غادر الحساب، أو لا تجمعكما مساحة.',
  connected: 'متصل منذ',
  lastSeen: 'آخر ظهور',
  localTime: (time, name) => `${time} لدى ${name}`,
  workingIn: 'يعمل في',
  until: (time) => ` حتى ${time}`,
  spaces: 'مساحات مشتركة:',
  moreSpaces: (count) => ` ${andMore(count)}`,
  noSpaces: 'لا مساحات مشتركة',
  talk: 'مراسلة',
  talkWith: (name) => `مراسلة ${name} على انفراد`,
}

export const profileTexts: Texts['actor']['profileTexts'] = {
  heading: 'تعديل ملفك الشخصي',
  name: 'اسمك',
  nameHint: 'تحتفظ الرسائل السابقة بالاسم الذي أُرسلت به.',
  title: 'ما تقوم به',
  titleHint: 'في سطر واحد. يظهر في بطاقتك.',
  zone: 'المنطقة الزمنية',
  zoneHint: 'تعرض بطاقتك توقيتك المحلي.',
  noZone: 'غير معروضة',
}
