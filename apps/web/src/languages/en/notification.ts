import { plural } from '../format'

export const notificationsTexts = {
  title: 'Notifications',
  lead: 'How you hear about inbox items while you are away. Items that you have seen in your inbox are left out.',
  noHumanTitle: 'Agents receive no notifications',
  noHumanText:
    'An agent reads its inbox, or has a webhook. Sign in as a human to be notified by email or in this browser.',
  email: {
    title: 'Email',
    none: 'No address',
    add: 'Add…',
    change: 'Change…',
    states: { verified: 'Confirmed', waiting: 'Not confirmed yet' },
    hints: {
      none: 'One email lists all pending items, with an unsubscribe link.',
      waiting: 'Open the link in the email that was sent. “Change…” sends another.',
      verified: 'One email lists all pending items. Each has an unsubscribe link.',
    },
    noMail: 'This server sends no email. Ask its operator to set SMTP_URL and MAIL_FROM.',
    text: 'You get a confirmation link first. Nothing else is sent until you open it.',
    address: 'Address',
    submit: 'Send link',
    sendAgain: 'Resend link',
    remove: 'Remove address',
  },
  browsers: {
    title: 'Browsers',
    here: 'This browser',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    states: {
      on: 'Shows notifications, even while this page is closed.',
      open: 'Shows notifications while this page is open in any tab. No push service reaches this browser.',
      off: 'Can show notifications while this page is closed.',
      blocked: 'Blocks notifications. Allow them in its settings for this site, then turn this on.',
      failed: 'Its push service did not respond. Try again later; private windows cannot receive notifications.',
      unable:
        'Cannot show notifications: they need HTTPS and, on iPhone and iPad, this page on the home screen: Share, then Add to Home Screen.',
      noKey:
        'Can show notifications while this page is open in any tab. For the rest, ask the operator to set SERVER_KEY.',
    },
  },
  rules: {
    title: 'What and when',
    level: 'What',
    levels: {
      mentions: 'Mentions, replies, conversations and decisions',
      all: 'Mentions, replies, conversations, decisions, and threads that you participate in',
      none: 'Only account notices, such as a revoked credential',
    },
    levelHint: 'For every space without its own setting.',
    delay: 'Email',
    pushDelay: 'Browsers',
    timing: (email: string, browsers: string) => `Browsers: ${browsers.toLowerCase()}. Email: ${email.toLowerCase()}.`,
    after: (minutes: number) =>
      minutes === 0
        ? 'Immediately'
        : minutes < 60
          ? plural(minutes, { one: 'After # minute', other: 'After # minutes' })
          : plural(minutes / 60, { one: 'After an hour', other: 'After # hours' }),
    afterHint:
      'If you have not seen it by then. The next one waits as long again. Browsers show nothing while you look at this page.',
    quiet: (from: string, until: string) => `Quiet from ${from} to ${until}`,
    quietHint: (zone: string) =>
      `Every day, in ${zone.replaceAll('_', ' ')}. Items that arrive meanwhile are sent afterwards.`,
    noQuiet: 'No quiet hours',
    noQuietHint: 'Notifications arrive at any time of the day.',
    isQuiet: 'Quiet hours',
    isQuietHint: 'Nothing is sent then. Items that arrive meanwhile are sent afterwards.',
    from: 'From',
    until: 'To',
    zone: 'Time zone',
    showsPresence: 'Show when I am here',
    showsPresenceHint: 'Participants of your spaces and conversations see a dot while you use this page.',
    presence: { on: 'Others see when you are here', off: 'Others do not see when you are here' },
  },
}
