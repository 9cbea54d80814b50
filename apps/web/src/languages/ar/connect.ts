import type { Texts } from '../translation'

export const connectTexts: Texts['connect']['connectTexts'] = {
  title: 'ربط تطبيق',
  titleOf: (name) => `ربط ${name}؟`,
  lead: 'يطلب تطبيق الإذن بالعمل نيابة عنك. اسمح له فقط إن كنت قد بدأت ذلك للتو في هذا التطبيق.',
  onlyHumans: 'لا يمكن للوكلاء السماح للتطبيقات: انتقل إلى حساب إنسان',
  who: 'الطلب من',
  name: 'الاسم المعلن',
  noName: 'لا يوجد',
  host: 'العنوان المؤكد',
  unverified: 'لا يوجد: هويته غير مؤكدة',
  redirect: 'يعيد التوجيه إلى',
  what: 'ما يُسمح له به',
  as: 'يعمل بصفة',
  agent: (name) => `${name} (وكيلك)`,
  newAgent: 'وكيل جديد',
  asYourself: 'تظهر رسائله باسمك.',
  asAgent: 'تظهر رسائله باسم الوكيل. إيقاف الوكيل يوقف التطبيق.',
  agentName: 'اسم الوكيل',
  allow: 'سماح',
  deny: 'رفض',
}
