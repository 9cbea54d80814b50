import { list, plural } from '../format'
import type { Texts } from '../translation'
import { andMore } from './nouns'

type Tenant = Texts['tenant']

export const memberTexts: Tenant['memberTexts'] = {
  admit: 'قبول',
  admitNamed: (name) => `قبول ${name}`,
  title: 'الأعضاء',
  since: 'الحساب منذ',
  menu: (name) => `إجراءات ${name}`,
  guest: 'ضيف',
  makeGuest: 'تحويل إلى ضيف',
  noGuest: 'تحويل إلى عضو كامل',
  promote: 'تعيين مشرفًا',
  demote: 'إلغاء الإشراف',
  credentials: 'بيانات الدخول…',
  disable: 'تعطيل…',
  enable: 'تفعيل',
  disableTitle: (name) => `تعطيل ${name}؟`,
  disableText: 'تتوقف بيانات دخول الحساب ووكلائه عن العمل، حتى للقراءة. يمكن التراجع بتفعيله.',
  disableSubmit: 'تعطيل',
  remove: 'إزالة…',
  removeTitle: (name) => `إزالة ${name}؟`,
  removeText: 'يفقد الحساب ووكلاؤه الوصول فورًا. تبقى الرسائل. تتطلب العودة دعوة.',
}

export const memberCredentialsTexts: Tenant['memberCredentialsTexts'] = {
  title: (name) => `بيانات دخول ${name}`,
  text: 'تتوقف بيانات الدخول المبطلة عن العمل فورًا مع كل ما أُنشئ بها. بلا مفتاح، يحتاج الإنسان إلى رمز وصول أو إلى المشغّل للحصول على غيره.',
  key: 'مفتاح API',
  noKey: 'لا مفتاح API: أُبطل.',
  revokeKey: (name) => `مفتاح API لـ ${name}`,
}

export const tenantTexts: Tenant['tenantTexts'] = {
  lead: 'أعضاؤها. هم وحدهم يرون ما يُكتب في مساحاتها.',
  leave: 'مغادرة',
  leaveTitle: (name) => `مغادرة ${name}؟`,
  leaveText: 'لن تكون أنت ووكلاؤك في أي مؤسسة. تبقى رسائلك هنا. للعودة تحتاج إلى دعوة.',
}

export const noTenantTexts: Tenant['noTenantTexts'] = {
  title: 'مؤسستك الخاصة',
  lead: 'تتشارك هذا الخادم مع كل من لديه حساب عليه. المؤسسة جزء منه لا يراه إلا أعضاؤها.',
  create: 'إنشاء مؤسسة',
  createText: 'تصبح مشرفها، وينتقل وكلاؤك معك. ويمكن أن تنتقل المساحات التي لم يستخدمها سواك وسواهم.',
  bring: (count) =>
    plural(count, {
      one: 'نقل مساحتك',
      two: 'نقل مساحتيك',
      few: 'نقل مساحاتك الـ#',
      many: 'نقل مساحاتك الـ#',
      other: 'نقل مساحاتك الـ#',
    }),
  listed: (names) =>
    names.length > 5 ? `${list(names.slice(0, 5))} ${andMore(names.length - 5)}.` : `${list(names)}.`,
  ends: (links, webhooks) =>
    [links > 0 && 'تُزال الروابط إلى المساحات التي تبقى.', webhooks > 0 && 'تُعطل Webhooks حتى تستبدل أسرارها.']
      .filter(Boolean)
      .join(' '),
  stays: (name, reason) => `تبقى ${name}: ${reason}.`,
  nameHint: 'اسم شركتك أو فريقك أو مشروعك.',
  submit: 'إنشاء مؤسسة',
  join: 'الانضمام إلى مؤسسة',
  joinText: 'يمكن لمشرف مؤسسة أن يرسل إليك رابط دعوة.',
}

export const privateSpacesTexts: Tenant['privateSpacesTexts'] = {
  title: 'المساحات الخاصة',
  owners: (names) => `يملكها ${list(names)}`,
  become: 'تملّك',
  becomeNamed: (id) => `تملّك ${id}`,
  becomeTitle: (id) => `أن تصبح مالكًا لـ ${id}؟`,
  becomeText: 'يمكنك بعدها قراءة كل ما فيها. يرى المشاركون أنك أضفت نفسك، ويسجله سجل الأمان.',
}

export const tenantPolicyTexts: Tenant['tenantPolicyTexts'] = {
  title: 'السياسة',
  claims: 'باسم من يمكن للأعضاء ووكلائهم الكتابة؟',
  claimsHint: 'أيًّا كان الاسم، يظهر المرسل الفعلي أولًا.',
  rules: {
    free: 'يمكن للأعضاء الكتابة بأي اسم، حتى باسم عضو آخر.',
    no_members: 'لا يمكن للأعضاء الكتابة باسم عضو آخر. يمكن اقتباس متحدثين ليسوا أعضاء، كما في نص مدوَّن.',
    none: 'يكتب الأعضاء بأسمائهم فقط.',
  },
  options: {
    none: 'بأسمائهم فقط',
    no_members: 'بأي اسم سوى اسم عضو آخر',
    free: 'بأي اسم',
  },
}

export const invitesTexts: Tenant['invitesTexts'] = {
  title: 'الدعوات',
  create: 'دعوة عضو',
  emptyTitle: 'لا دعوات',
  emptyText: 'الدعوة رابط يعمل مرة واحدة. من يفتحه يصبح عضوًا.',
  anyone: 'كل من لديه الرابط',
  open: 'مفتوحة',
  redeemed: 'مستخدمة',
  revoked: 'مبطلة',
  expired: 'منتهية',
  created: 'أُنشئت',
  until: 'حتى',
  into: (space) => `إلى ${space}`,
  secret: {
    title: 'رابط الدعوة',
    text: 'يعمل كل رابط مرة واحدة، ويُعرض مرة واحدة فقط. أرسله إلى من تدعوه، ما لم يكن قد أُرسل بالبريد.',
    label: 'الرابط',
  },
}

export const createInviteTexts: Tenant['createInviteTexts'] = {
  text: 'تحصل على رابط لكل شخص. يعمل مرة واحدة خلال أسبوع.',
  emails: 'عناوين البريد الإلكتروني',
  emailsHint: 'عنوان أو أكثر. لا يستخدم الرابط إلا حساب بذلك العنوان. إن تُرك فارغًا، استخدمه كل من لديه الرابط.',
  send: 'إرسال الروابط بالبريد (20 في اليوم على الأكثر)',
  notSent: 'لم تُرسل',
  space: 'المساحة الأولى',
  noSpace: 'لا شيء',
  submit: (count) =>
    plural(Math.max(count, 1), {
      one: 'إنشاء دعوة',
      two: 'إنشاء دعوتين',
      few: 'إنشاء # دعوات',
      many: 'إنشاء # دعوة',
      other: 'إنشاء # دعوة',
    }),
}
