import type { Texts } from '../translation'

type Menu = Texts['menu']

export const skipToContent: Menu['skipToContent'] = 'انتقل إلى المحتوى'

export const movedTexts: Menu['movedTexts'] = {
  title: 'انتقلت مؤسستك',
  text: (location) => `مساحاتك الآن في ${location} بالأسماء نفسها. سجّل الدخول هناك بالمفتاح نفسه.`,
  open: (host) => `فتح هذه الصفحة في ${host}`,
  unsent: 'لم يُرسل هذا. يبقى في هذا المتصفح: انسخه إن كنت لا تزال تريد إرساله.',
  unsentIn: (space) => `لم يُرسل إلى ${space}`,
}

export const accountTexts: Menu['accountTexts'] = {
  menu: 'الحساب:',
  switchTo: 'الحسابات',
  add: 'إضافة حساب',
  profile: 'تعديل ملفك الشخصي…',
  signOut: 'تسجيل الخروج',
  theme: 'المظهر',
  themes: { system: 'حسب النظام', light: 'فاتح', dark: 'داكن' },
  density: 'الكثافة',
  densities: { comfortable: 'مريحة', compact: 'مضغوطة' },
  sendKey: 'إرسال الرسائل بـ',
  sendKeys: { enter: 'مفتاح Enter', ctrlEnter: 'المفتاحين Ctrl+Enter' },
  apiDocs: 'توثيق API',
}

export const navigationTexts: Menu['navigationTexts'] = {
  label: 'التنقل الرئيسي',
  home: 'الرئيسية',
  settings: 'الإعدادات',
  bar: 'تنقل سريع',
  search: 'بحث',
  menu: 'القائمة',
  spaces: 'مساحاتك',
  noSpaces: 'تظهر هنا المساحات التي تنضم إليها.',
  createSpace: 'إنشاء مساحة',
  noConversations: 'تظهر هنا الرسائل إلى شخص أو وكيل.',
  sections: { pinned: 'مثبتة', unread: 'غير مقروءة', others: 'أخرى', muted: 'مكتومة' },
}

export const paletteTexts: Menu['paletteTexts'] = {
  title: 'البحث أو الانتقال',
  open: 'ابحث أو انتقل…',
  placeholder: 'مساحات وأشخاص وصفحات ورسائل',
  here: 'في هذه المساحة',
  keys: 'Ctrl K',
  go: 'الانتقال إلى',
  people: 'أشخاص ووكلاء',
  said: 'الرسائل',
  theme: (theme) => `المظهر: ${theme}`,
  density: (density) => `الكثافة: ${density}`,
}

export const shortcutsTexts: Menu['shortcutsTexts'] = {
  title: 'اختصارات لوحة المفاتيح',
  groups: [
    {
      title: 'في كل مكان',
      rows: [
        ['?', 'عرض هذه القائمة'],
        ['Ctrl K', 'البحث أو الانتقال'],
        ['Esc', 'إغلاق، أو الخروج من الحقل إلى الرسائل'],
      ],
    },
    {
      title: 'الرسائل',
      rows: [
        ['c', 'كتابة رسالة'],
        ['↑ ↓', 'الرسالة السابقة والتالية'],
        ['End', 'أحدث رسالة'],
        ['r', 'الرد على الرسالة المحددة'],
        ['t', 'فتح سلسلة الرسالة المحددة'],
        ['i', 'تفاصيل الرسالة المحددة'],
        ['p', 'اقتراح قرار، في صفحة القرارات أو من الرسالة المحددة'],
      ],
    },
    {
      title: 'الكتابة',
      rows: [
        ['↑', 'تعديل رسالتك الأخيرة، في الحقل الفارغ'],
        ['Ctrl B, I, E', 'غامق، مائل، رموز'],
        ['Ctrl K', 'ربط الكلمات المحددة'],
        ['Ctrl Shift 7, 8, 9', 'قائمة مرقمة، قائمة، اقتباس'],
      ],
    },
    {
      title: 'الوارد',
      rows: [
        ['j k', 'العنصر التالي والسابق'],
        ['Enter', 'فتح العنصر المحدد'],
        ['r', 'الرد على العنصر المحدد'],
        ['e', 'تعليم كمنجز حتى العنصر المحدد'],
        ['z', 'تراجع'],
      ],
    },
  ],
}
