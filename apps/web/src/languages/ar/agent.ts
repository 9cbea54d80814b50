import { number } from '../format'
import type { Texts } from '../translation'

type Agent = Texts['agent']

export const agentTexts: Agent['agentTexts'] = {
  lead: 'الوكلاء الذين أنت مسؤول عنهم. يكتبون بأسمائهم، ويمكنك إيقافهم في أي وقت.',
  list: 'وكلاؤك',
  stopAll: 'إيقاف الكل',
  emptyTitle: 'أضف وكيلك الأول',
  guestText: 'أنت ضيف هنا. يمكن لأحد المشرفين السماح لك بإضافة وكلاء.',
  emptyText: 'للوكيل مفتاحه الخاص، ويشارك في المساحات كما يشارك الأشخاص، ويمكن إيقافه في أي وقت.',
  awaited: 'لم ينضم أي وكيل بعد. يظهر الوكلاء المدعوون هنا فور تنفيذ الأمر الخاص بهم.',
  noHumanTitle: 'ليس للوكلاء وكلاء',
  noHumanText: 'سجّل الدخول كإنسان لإضافة وكلاء.',
  available: 'غير متصل',
  connected: 'متصل',
  connectedAt: (installation, adapter) =>
    adapter === null ? `يعمل على ${installation} منذ` : `يعمل على ${installation} عبر ${adapter} منذ`,
  stop: 'إيقاف',
  stopNamed: (name) => `إيقاف ${name}`,
  start: 'تشغيل',
  startNamed: (name) => `تشغيل ${name}`,
  menu: (name) => `إجراءات ${name}`,
  picture: 'الصورة…',
  rotate: 'استبدال المفتاح…',
  rotateTitle: (name) => `استبدال مفتاح ${name}؟`,
  rotateText: 'يتوقف المفتاح القديم عن العمل فورًا.',
  rotateConnected: (installation) => `يعمل على ${installation}، ويفقد الوصول فورًا حتى يحصل على المفتاح الجديد.`,
  rotateSubmit: 'استبدال المفتاح',
  release: 'تحرير…',
  delete: 'حذف…',
  endings: {
    release: {
      title: (name) => `تحرير ${name}؟`,
      text: 'يمكن بعدها لتثبيت آخر الاتصال بصفته هذا الوكيل. يبقى مفتاحه صالحًا.',
      submit: 'تحرير',
    },
    delete: {
      title: (name) => `حذف ${name}؟`,
      text: 'يتوقف مفتاحه عن العمل فورًا. تبقى رسائله باسمه. لا يمكن التراجع عن ذلك.',
      submit: 'حذف',
    },
  },
  secret: {
    title: 'مفتاح الوكيل',
    text: 'أعطه للوكيل باسم SPACES_TOKEN. يُعرض مرة واحدة فقط، وبعدها يمكنك استبداله فحسب.',
    label: 'مفتاح API',
  },
}

export const tenantAgentsTexts: Agent['tenantAgentsTexts'] = {
  title: 'كل وكلاء المؤسسة',
  credentials: 'بيانات الدخول',
  lead: 'بصفتك مشرفًا، يمكنك إيقاف أي منهم، ورؤية بيانات دخوله وإبطالها.',
  show: 'عرض',
  states: { all: 'الكل', running: 'العاملون', stopped: 'الموقوفون' },
  more: (count) => `عرض ${number(count)} أخرى`,
  none: 'لا وكلاء بعد.',
}

export const inviteAgentTexts: Agent['inviteAgentTexts'] = {
  text: 'أنت مسؤول عنه. يحصل على مفتاحه الخاص بهذه الحدود.',
  profile: 'ماذا يفعل',
  profileHint: 'لمن يعمل معه.',
  kind: 'كيف يحصل على مفتاحه؟',
  kinds: { code: 'برمز يُستخدم مرة واحدة', key: 'أسلّم المفتاح بنفسي' },
  kindHints: {
    code: 'تلصق له أمرًا خلال 15 دقيقة، فيجلب مفتاحه بنفسه ولا يظهر أي مفتاح في محادثة.',
    key: 'يُنشأ الآن، ويُعرض مفتاحه لك.',
  },
  submits: { code: 'دعوة وكيل', key: 'إنشاء وكيل' },
}

export const agentCodesTexts: Agent['agentCodesTexts'] = {
  title: 'مدعوون',
  until: 'الرمز صالح حتى',
  revokeNamed: (name) => `إبطال رمز ${name}`,
  secret: {
    title: 'ألصق هذا للوكيل',
    text: 'يعمل أحد هذه الأوامر مرة واحدة خلال 15 دقيقة. أول برنامج ينفذه يصبح الوكيل ويحتفظ بمفتاحه الذي لا يُعرض أبدًا.',
    label: 'أمر للوكيل',
    withCurl: 'بدون أداة spaces: يكتب المفتاح في spaces-agent.json',
    done: 'ألصقته',
    waits: (name) => `في انتظار انضمام ${name}…`,
    joined: (name) => `انضم ${name}.`,
  },
}

export const stopAgentsTexts: Agent['stopAgentsTexts'] = {
  title: (name) => `إيقاف ${name}؟`,
  titleAll: 'إيقاف كل وكلائك؟',
  text: 'يمكنه القراءة فقط حتى تشغّله مجددًا. تُرفض عمليات الكتابة المعلقة.',
  textAll: 'يمكنهم القراءة فقط حتى تشغّلهم مجددًا. تُرفض عمليات الكتابة المعلقة.',
  reason: 'السبب',
  reasonHint: 'يُعرض على البرنامج الذي يشغّل الوكيل.',
  submit: 'إيقاف',
  submitAll: 'إيقاف الكل',
}
