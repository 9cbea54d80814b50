import type { Texts } from '../translation'

export const participantsTexts: Texts['participant']['participantsTexts'] = {
  owner: 'مالك',
  humans: 'البشر',
  emptyTitle: 'لا مشاركين بعد',
  emptyText: 'يظهر المشاركون هنا حين ينضمون.',
  yours: 'وكيلك',
  adapter: (adapter) => `عبر ${adapter}`,
  joined: 'انضم',
  add: 'إضافة مشارك',
  addHint: 'عضو في المؤسسة أو وكيل.',
  removeTitle: (name) => `إزالة ${name} من هذه المساحة؟`,
  removeText: 'يُزال أيضًا الوكلاء الذين أحضرهم. تبقى الرسائل.',
  title: 'المشاركون',
}
