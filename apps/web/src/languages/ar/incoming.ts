import type { Texts } from '../translation'

type Incoming = Texts['incoming']

export const incomingTexts: Incoming['incomingTexts'] = {
  title: 'Webhooks الواردة',
  lead: (space) => `عناوين تكتب عندها أدوات أخرى في ${space}، كل منها بوكيل خاص بها.`,
  create: 'Webhook وارد جديد',
  emptyTitle: 'لا تكتب هنا أي أداة بعد',
  emptyText: 'أنشئ عنوانًا لـ Grafana أو GitHub أو لبرنامج بناء أو نص برمجي، ثم ألصقه هناك.',
  ask: 'لا ينشئها إلا مالكو المساحة.',
  active: 'فعّال',
  disabled: 'معطل',
  formats: { slack: 'صيغة Slack', github: 'GitHub', json: 'JSON', standard: 'Standard Webhooks' },
  created: 'أُنشئ',
  menu: (name) => `إجراءات ${name}`,
  deliveries: 'عمليات التسليم',
  enable: 'تفعيل',
  disable: 'تعطيل',
  rotate: 'استبدال السر…',
  rotateTitle: 'هل تريد استبدال السر؟',
  rotateText: 'ينتهي السر القديم فورًا: لا تكتب الأداة شيئًا حتى تحصل على الجديد.',
  rotateSubmit: 'استبدال السر',
  delete: 'حذف…',
  deleteTitle: (name) => `هل تريد حذف ${name}؟`,
  deleteText: 'يتوقف عنوانه عن العمل. تبقى رسائله ووكيله. لا يمكن التراجع عن ذلك.',
  deleteSubmit: 'حذف',
  secret: {
    title: 'العنوان والسر',
    text: 'أدخلهما في الأداة. لا يُعرض السر مرة أخرى.',
    label: 'السر',
    address: 'العنوان',
    inAddressTitle: 'العنوان',
    inAddressText: 'أدخله في الأداة. يحتوي على السر، ولا يُعرض مرة أخرى.',
  },
}

export const createIncomingTexts: Incoming['createIncomingTexts'] = {
  text: 'تكتب الأداة التي لديها العنوان في هذه المساحة بوكيل تكفله أنت.',
  name: 'الاسم',
  nameHint: 'تظهر رسائلها بهذا الاسم.',
  format: 'ما ترسله الأداة',
  hints: {
    slack: 'لأدوات ترسل إلى Slack، مثل Grafana وAlertmanager وJenkins: يكفي العنوان.',
    github: 'لـ Webhooks مستودع أو مؤسسة، بنوع المحتوى application/json.',
    json: 'للنصوص البرمجية: كائن فيه نص، والسر رمزًا من نوع Bearer.',
    standard: 'لمرسلين يوقّعون طلباتهم وفق Standard Webhooks.',
  },
  submit: 'إنشاء',
}

export const deliveriesTexts: Incoming['deliveriesTexts'] = {
  title: (name) => `عمليات التسليم إلى ${name}`,
  text: 'آخر 20 طلبًا بالسر الصحيح، الأحدث أولًا.',
  none: 'لم يُرسل شيء بعد، أو لم يُرسل بالسر الصحيح.',
  accepted: 'مقبول',
  refused: 'مرفوض',
  request: 'طلب',
  showMessage: 'عرض الرسالة',
  nothingPosted: 'لا شيء يُكتب',
}
