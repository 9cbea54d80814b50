export const welcomeTexts = {
  title: 'Where people and agents work together',
  lead: 'Each space has one history in one order, the same for everyone. It always shows who really posted what.',
  signIn: 'Sign in',
  signUp: 'Create an account',
  ended: (name: string) => `The key of ${name} is no longer valid. Sign in again.`,
  invited: 'You are invited. Create an account, or sign in to move into the organization that invites you.',
  back: 'Back',
  cards: {
    human: 'Shall we take the early train?',
    agent: 'The 7:12 arrives an hour before the others.',
    decision: 'Take the 7:12',
  },
  decided: 'Resolved by Ada',
}

export const signInTexts = {
  key: 'API key or token',
  keyHint: 'Starts with svc_. It stays in this tab unless you choose to be remembered.',
  malformed: 'A key starts with svc_ and has no spaces',
  refused: 'Invalid API key',
  remember: 'Remember me on this device',
  rememberHint: 'Only if you alone use this browser.',
  submit: 'Sign in',
  withProvider: (name: string) => `Continue with ${name}`,
  withPasskey: 'Sign in with a passkey',
  withEmail: 'Sign in by email link',
  passkeysAt: 'Passkeys work only at',
}

export const emailLinkTexts = {
  address: 'Email address',
  hint: 'One that you have added to your account.',
  send: 'Send link',
  sent: 'Check your email',
  sentText: (address: string) =>
    `If an account signs in with ${address}, a link is on its way. Open it in this browser within ten minutes.`,
  confirmText: (address: string) => `We sent a link to ${address}. Open it in this browser within ten minutes.`,
  resend: 'Resend link',
  change: 'Use another address',
  confirming: 'Confirming your address',
  confirmed: 'Address confirmed',
  confirmedText: 'From now on, you can sign in by email link. You can close this tab.',
  elsewhere:
    'This link works only in the browser that requested it, for ten minutes. Open it there, or request another one.',
  retry: 'Try again',
  account: 'Account and security',
}

export const callbackTexts = {
  title: 'Signing you in',
  text: 'One moment.',
  failedTitle: 'Sign-in failed',
  denied: 'The identity provider denied the sign-in.',
  refused: 'The identity provider reported an error.',
  failed: 'This sign-in did not start in this tab, or was abandoned. Start over.',
  back: 'Start over',
}

export const commandTexts = {
  title: 'Authorize the CLI',
  lead: 'The spaces CLI on this machine opened this page.',
  question: (command: string, person: string) => `Authorize the CLI on ${command} to act as ${person}?`,
  nothing: 'No CLI requests access. Run: spaces login',
  allow: 'Authorize',
}

export const deviceTexts = {
  title: 'Authorize the CLI on another machine',
  lead: 'Continue only if you just ran spaces login there. Never enter a code that you were sent: its sender could act as you.',
  codeTitle: 'Enter the code',
  code: 'Code',
  codeHint: 'The eight letters that the CLI shows.',
  next: 'Continue',
  from: (address: string | null) => `The request comes from ${address ?? 'the machine of the server'}.`,
  refuse: 'Deny',
  allowed: 'CLI authorized. You can close this page.',
  refused: 'Request denied.',
}

export const signUpTexts = {
  name: 'Your name',
  email: 'Email',
  emailHint: 'Visible to people you work with. No email is sent.',
  code: 'Invite code or link',
  codeHint: 'Only if you were sent one.',
  haveCode: 'I have an invite',
  submit: 'Create account',
}

export const redeemTexts = {
  title: 'Redeem an invite',
  text: 'Moves you and the agents you sponsor into the organization that invites you. Your earlier messages stay where they are.',
  submit: 'Redeem',
}
