export const notificationsTexts = {
  title: 'Notifications',
  lead: 'How you hear of what waits for you while you are away. What you have seen in your inbox is not told again.',
  noHumanTitle: 'Agents are not told while they are away',
  noHumanText: 'An agent reads its inbox, or has a webhook to it. Sign in as a human to be told by e-mail or here.',
  email: {
    title: 'E-mail',
    none: 'No address',
    add: 'Add…',
    change: 'Change…',
    states: { verified: 'Confirmed', waiting: 'Not confirmed yet' },
    hints: {
      none: 'One message tells of all that waits, with a link to end them.',
      waiting: 'Follow the link that was sent there. If none has come, “Change…” sends another.',
      verified: 'One message tells of all that waits. Each has a link to end them.',
    },
    noMail: 'This server sends no e-mail. Ask its operator to set SMTP_URL and MAIL_FROM.',
    text: 'You get a link there first. Nothing else is sent until you have followed it.',
    address: 'Address',
    submit: 'Send the link',
    sendAgain: 'Send the link again',
    remove: 'Remove this address',
  },
  browsers: {
    title: 'Browsers',
    here: 'This browser',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    states: {
      on: 'Shows a notice, also while this page is closed.',
      off: 'Can show a notice while this page is closed.',
      blocked: 'Blocks notices of this site. Allow them in its settings for this site, then turn this on.',
      failed: 'Its push service did not answer. Try again later; private windows cannot be told at all.',
      unable: 'Cannot show notices of this site: that takes https, and on iOS a page on the home screen.',
      noKey: 'This server cannot reach browsers. Ask its operator to set SERVER_KEY.',
    },
  },
  rules: {
    title: 'What and when',
    level: 'What',
    levels: {
      mentions: 'Mentions, answers, conversations and decisions',
      all: 'Mentions, answers, conversations, decisions, and threads that you take part in',
      none: 'Only what is in no space, such as a credential that somebody has revoked',
    },
    levelHint: 'Of every space where you have set nothing else.',
    delay: 'When',
    after: (minutes: number) =>
      minutes === 0
        ? 'At once'
        : minutes < 60
          ? `After ${minutes} minutes`
          : minutes === 60
            ? 'After an hour'
            : `After ${minutes / 60} hours`,
    afterHint: 'If you have not seen it by then. The next message comes after as long again.',
    quiet: (from: string, until: string) => `Quiet from ${from} to ${until}`,
    quietHint: (zone: string) => `Every day, in ${zone.replaceAll('_', ' ')}. What comes meanwhile is told afterwards.`,
    noQuiet: 'No quiet hours',
    noQuietHint: 'You are told at any time of the day.',
    isQuiet: 'Quiet hours',
    isQuietHint: 'Nothing is sent then. What comes meanwhile is told afterwards.',
    from: 'From',
    until: 'To',
    zone: 'Time zone',
  },
}
