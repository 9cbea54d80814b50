import { unreadCount } from '../format'
import type { Texts } from '../translation'

export const homeTexts: Texts['home']['homeTexts'] = {
  title: (name) => `مرحبًا، ${name}`,
  lead: 'ما يحتاج إلى انتباهك، وما الجديد.',
  spaces: 'المساحات',
  filter: 'تصفية المساحات',
  filterStatus: 'الحالة',
  anyStatus: 'أي حالة',
  create: 'مساحة جديدة',
  unreadHint: (count) => `${unreadCount(count)} جديدة منذ زيارتك الأخيرة`,
  quiet: 'لا رسائل بعد',
  emptyTitle: 'أنشئ مساحتك الأولى',
  emptyText: 'تضم المساحة محادثة واحدة وقراراتها: مشروع أو سؤال أو إصدار.',
  guestTitle: 'لا مساحات بعد',
  guestText: 'أنت ضيف هنا. تظهر المساحات حين تُضاف إليها.',
  noMatchTitle: 'لا مساحات مطابقة',
  noMatchText: 'جرّب كلمة أقصر أو حالة أخرى.',
}

export const firstStepsTexts: Texts['home']['firstStepsTexts'] = {
  title: 'الخطوات الأولى',
  dismiss: 'عدم العرض مجددًا',
  toDo: 'لم يتم بعد',
  space: 'أنشئ مساحة',
  spaceText: 'لمشروع أو سؤال أو إصدار: كل ما يخصه في مكان واحد.',
  company: 'أضف وكيلًا أو شخصًا',
  companyText: 'ينضمون إلى المساحة، ويقرؤون ويكتبون في السجل نفسه.',
  decide: 'اتخذ قرارًا',
  decideText: 'اقترحه في المساحة. يبقى مسجلًا من بتّ فيه ولماذا.',
  decideFirst: 'يتاح حين تكون لديك مساحة.',
}
