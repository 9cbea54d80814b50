import type { Texts } from '../translation'

type Session = Texts['session']

export const welcomeTexts: Session['welcomeTexts'] = {
  title: 'حيث يعمل الأشخاص والوكلاء معًا',
  lead: 'لكل مساحة سجل واحد بترتيب واحد، هو نفسه للجميع. يبيّن دائمًا من كتب ماذا حقًا.',
  signIn: 'تسجيل الدخول',
  signUp: 'إنشاء حساب',
  ended: (name) => `لم يعد مفتاح ${name} صالحًا. سجّل الدخول مجددًا.`,
  invited: 'أنت مدعو. أنشئ حسابًا، أو سجّل الدخول للانتقال إلى المؤسسة التي تدعوك.',
  back: 'رجوع',
  cards: {
    human: 'هل نأخذ القطار المبكر؟',
    agent: 'قطار 7:12 يصل قبل الآخرين بساعة.',
    decision: 'نأخذ قطار 7:12',
  },
  decided: 'اعتمدته Ada',
}

export const signInTexts: Session['signInTexts'] = {
  key: 'مفتاح API أو رمز وصول',
  keyHint: 'يبدأ بـ svc_. يبقى في هذا التبويب ما لم تختر تذكّرك.',
  malformed: 'يبدأ المفتاح بـ svc_ ولا مسافات فيه',
  refused: 'مفتاح API غير صالح',
  remember: 'تذكّرني على هذا الجهاز',
  rememberHint: 'فقط إن كنت وحدك تستخدم هذا المتصفح.',
  submit: 'تسجيل الدخول',
  withProvider: (name) => `المتابعة عبر ${name}`,
  withPasskey: 'تسجيل الدخول بمفتاح مرور',
  withEmail: 'تسجيل الدخول برابط عبر البريد',
  passkeysAt: 'تعمل مفاتيح المرور فقط في',
}

export const emailLinkTexts: Session['emailLinkTexts'] = {
  address: 'عنوان البريد الإلكتروني',
  hint: 'عنوان أضفته إلى حسابك.',
  send: 'إرسال الرابط',
  sent: 'تحقق من بريدك',
  sentText: (address) =>
    `إن كان لحساب ما تسجيل دخول بالعنوان ${address}، فالرابط في الطريق. افتحه في هذا المتصفح خلال عشر دقائق.`,
  confirmText: (address) => `أرسلنا رابطًا إلى ${address}. افتحه في هذا المتصفح خلال عشر دقائق.`,
  resend: 'إعادة إرسال الرابط',
  change: 'استخدام عنوان آخر',
  confirming: 'يجري تأكيد عنوانك',
  confirmed: 'تم تأكيد العنوان',
  confirmedText: 'يمكنك من الآن تسجيل الدخول برابط عبر البريد. يمكنك إغلاق هذا التبويب.',
  elsewhere: 'يعمل هذا الرابط فقط في المتصفح الذي طلبه، لعشر دقائق. افتحه هناك أو اطلب رابطًا آخر.',
  retry: 'حاول مجددًا',
  account: 'الحساب والأمان',
}

export const callbackTexts: Session['callbackTexts'] = {
  title: 'يجري تسجيل دخولك',
  text: 'لحظة واحدة.',
  failedTitle: 'فشل تسجيل الدخول',
  denied: 'رفض مزوّد الهوية تسجيل الدخول.',
  refused: 'أبلغ مزوّد الهوية عن خطأ.',
  failed: 'لم يبدأ تسجيل الدخول هذا في هذا التبويب، أو تُرك. ابدأ من جديد.',
  back: 'البدء من جديد',
}

export const commandTexts: Session['commandTexts'] = {
  title: 'السماح لسطر الأوامر',
  lead: 'فتحت أداة spaces على هذا الجهاز هذه الصفحة.',
  question: (command, person) => `السماح للأداة على ${command} بالعمل بصفة ${person}؟`,
  nothing: 'لا أداة تطلب الوصول. نفّذ: spaces login',
  allow: 'سماح',
}

export const deviceTexts: Session['deviceTexts'] = {
  title: 'السماح لسطر الأوامر على جهاز آخر',
  lead: 'تابع فقط إن كنت قد نفّذت للتو spaces login هناك. لا تُدخل رمزًا أُرسل إليك: يمكن لمرسله أن يعمل باسمك.',
  codeTitle: 'أدخل الرمز',
  code: 'الرمز',
  codeHint: 'الأحرف الثمانية التي تعرضها الأداة.',
  next: 'متابعة',
  from: (address) => `يأتي الطلب من ${address ?? 'جهاز الخادم'}.`,
  refuse: 'رفض',
  allowed: 'سُمح للأداة. يمكنك إغلاق هذه الصفحة.',
  refused: 'رُفض الطلب.',
}

export const signUpTexts: Session['signUpTexts'] = {
  name: 'اسمك',
  email: 'البريد الإلكتروني',
  emailHint: 'يراه من تعمل معهم. لا يُرسل أي بريد.',
  code: 'رمز الدعوة أو رابطها',
  codeHint: 'فقط إن أُرسل إليك.',
  haveCode: 'لدي دعوة',
  submit: 'إنشاء حساب',
}

export const redeemTexts: Session['redeemTexts'] = {
  title: 'استخدام دعوة',
  text: 'ينقلك مع الوكلاء الذين أنت مسؤول عنهم إلى المؤسسة التي تدعوك. تبقى رسائلك السابقة في مكانها.',
  submit: 'استخدام',
}
