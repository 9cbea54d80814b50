import { list, plural } from '../format'
import type { Texts } from '../translation'
import { andMore } from './nouns'

type Credential = Texts['credential']

export const signInMethodTexts: Credential['signInMethodTexts'] = {
  title: 'طرق تسجيل الدخول والجلسات',
  emptyTitle: 'تسجّل الدخول بمفتاحك',
  emptyText: 'مع مفتاح المرور، يكفيك جهازك. يبقى مفتاحك احتياطًا.',
  addPasskey: 'إضافة مفتاح مرور',
  addText: 'ينشئه جهازك أو مدير كلمات المرور، ويتحقق منك في كل مرة.',
  addEmail: 'إضافة عنوان بريد إلكتروني',
  addEmailText: 'يمكنك بعدها تسجيل الدخول بروابط تُرسل إليه. الوصول إلى هذا الصندوق يصبح وصولًا إلى حسابك.',
  bind: (name) => `ربط ${name}`,
  everywhere: 'إنهاء كل الجلسات',
  kinds: {
    passkey: 'مفتاح مرور',
    identity: 'هوية',
    session: 'جلسة',
    grant: 'تطبيق',
    token: 'رمز وصول',
    api_key: 'مفتاح API',
  },
}

export const newKeyTexts: Credential['newKeyTexts'] = {
  title: 'مفتاحك',
  text: 'هو كلمة مرورك لهذه الخدمة ويُعرض مرة واحدة فقط. احفظه في مدير كلمات المرور.',
  label: 'مفتاح API',
}

export const grantsTexts: Credential['grantsTexts'] = {
  title: 'التطبيقات المرتبطة',
  actsAs: (name) => `يعمل بصفة ${name}`,
}

export const endedTexts: Credential['endedTexts'] = {
  before: 'أُنشئ ما يلي به وينتهي معه. يُوقف الوكلاء ولا يُحذفون.',
  after: 'أُنشئ ما يلي به وقد انتهى. أُوقف الوكلاء ولم يُحذفوا.',
  more: (count) => `${andMore(count)} في سجل الأمان`,
  kinds: {
    token: 'رمز وصول',
    session: 'جلسة',
    grant: 'إذن لـ',
    passkey: 'مفتاح مرور',
    identity: 'هوية',
    api_key: 'مفتاح API لـ',
    agent: 'وكيل',
    agent_code: 'دعوة الوكيل',
    invite: 'دعوة',
    notification_channel: 'إشعارات إلى',
    webhook: 'Webhook إلى',
  },
}

export const createTokenTexts: Credential['createTokenTexts'] = {
  text: 'يعمل باسمك ضمن هذه الحدود.',
  nameHint: 'ما الذي يستخدمه، لتتعرف عليه لاحقًا.',
  submit: 'إنشاء رمز وصول',
}

export const limitsTexts: Credential['limitsTexts'] = {
  scopes: 'الصلاحيات',
  scopeNames: {
    read: 'القراءة',
    write: 'الكتابة',
    react: 'التفاعل',
    settle: 'البتّ',
    manage: 'الإدارة',
    account: 'الحساب',
  },
  scopeHints: {
    read: 'المساحات والرسائل والبحث',
    write: 'الكتابة والانضمام والاقتراح',
    react: 'التفاعل مع الرسائل',
    settle: 'الموافقة على القرارات والبت فيها',
    manage: 'تغيير المساحات وأرشفتها، وWebhooks',
    account: 'بيانات الدخول والوكلاء والأعضاء',
  },
  allScopes: 'وصول كامل',
  spaces: 'في هذه المساحات فقط',
  spacesHint: 'بلا اختيار: كل المساحات.',
  allSpaces: 'كل المساحات',
  someSpaces: (names) =>
    names.length <= 2 ? list(names) : plural(names.length, { few: '# مساحات', many: '# مساحة', other: '# مساحة' }),
  lifetime: 'الانتهاء',
  lifetimes: {
    day: 'بعد يوم',
    week: 'بعد أسبوع',
    month: 'بعد 30 يومًا',
    quarter: 'بعد 90 يومًا',
    year: 'بعد سنة',
    always: 'أبدًا',
  },
  ends: 'ينتهي',
  noEnd: 'لا ينتهي',
}

export const ownKeyTexts: Credential['ownKeyTexts'] = {
  title: 'مفتاحك',
  current: 'وصولك الحالي',
  rotate: 'استبدال المفتاح',
  rotateHint: 'إن كان قد تسرب. يتابع هذا التبويب بالمفتاح الجديد.',
  rotateTitle: 'استبدال مفتاحك؟',
  rotateText: 'يتوقف القديم عن العمل فورًا حيثما استُخدم. تبقى رموز الوصول صالحة.',
  rotateSubmit: 'استبدال المفتاح',
  everywhere: 'تسجيل الخروج من كل مكان',
  everywhereHint: 'يستبدل المفتاح وينهي كل ما أُنشئ بأي من بيانات دخولك. يبقى هذا التبويب وحده مسجلًا.',
  everywhereTitle: 'تسجيل الخروج من كل مكان؟',
  everywhereText: 'يتوقف المفتاح وكل رمز وصول عن العمل فورًا، على كل الأجهزة وفي كل البرامج. يُوقف وكلاؤك.',
}

export const credentialsTexts: Credential['credentialsTexts'] = {
  title: 'الحساب والأمان',
  lead: 'مفتاح API الخاص بك، ورموز الوصول التي تعطيها للبرامج.',
  tokens: 'رموز الوصول',
  create: 'رمز وصول جديد',
  emptyTitle: 'أعطِ البرامج رموز وصول لا مفتاحك',
  emptyText: 'لا يتيح رمز الوصول إلا ما يحتاجه البرنامج، ما دام يحتاجه، ويمكن إبطاله على حدة.',
  showRevoked: 'عرض الرموز المبطلة',
  revoked: 'مُبطل',
  expired: 'منتهٍ',
  neverUsed: 'لم يُستخدم',
  lastUsed: 'آخر استخدام',
  revokeNamed: (name) => `إبطال ${name}`,
  revokeTitle: (name) => `إبطال ${name}؟`,
  revokeText: 'يتوقف كل ما يستخدمه عن العمل فورًا. لا يمكن التراجع عن ذلك.',
  secret: {
    title: 'رمز وصولك',
    text: 'يُعرض مرة واحدة فقط. انسخه الآن. إن فقدته، فأبطله وأنشئ غيره.',
    label: 'رمز الوصول',
  },
}
