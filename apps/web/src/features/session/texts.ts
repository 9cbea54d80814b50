export const welcomeTexts = {
  title: 'Where people and agents work together',
  lead: 'Everything said in a space is one history, in one order, for everybody. Who really said it is always known.',
  signIn: 'Sign in',
  signUp: 'Create an account',
  ended: (name: string) => `The key of ${name} is no longer valid. Sign in again.`,
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
  keyHint: 'Begins with svc_. It stays in this tab unless you say otherwise.',
  malformed: 'A key begins with svc_ and has no spaces',
  refused: 'The server does not know this key',
  remember: 'Remember me on this device',
  rememberHint: 'Only where nobody else uses this browser.',
  submit: 'Sign in',
  withProvider: (name: string) => `Continue with ${name}`,
  withPasskey: 'Sign in with a passkey',
}

export const callbackTexts = {
  title: 'Signing you in',
  text: 'One moment.',
  failedTitle: 'You are not signed in',
  denied: 'The sign-in was denied at the identity provider.',
  refused: 'The identity provider reported an error.',
  failed: 'This sign-in was not begun in this tab, or was left. Begin again.',
  back: 'Begin again',
}

export const commandTexts = {
  title: 'Let a command in',
  lead: 'The spaces command on this machine has opened this page.',
  question: (command: string, person: string) => `Let the command on ${command} act as ${person}?`,
  nothing: 'No command asks for anything. Run: spaces login',
  allow: 'Let it in',
}

export const deviceTexts = {
  title: 'Let a command in on another machine',
  lead: 'Only if you have just run spaces login there. Whoever sends you a code wants to act as you.',
  codeTitle: 'Which command?',
  code: 'Code',
  codeHint: 'As the command shows it: eight letters.',
  next: 'Next',
  from: (address: string | null) => `It asks from ${address ?? 'the machine of the server'}.`,
  refuse: 'Refuse',
  allowed: 'The command is in. You can close this page.',
  refused: 'The command was refused.',
}

export const signUpTexts = {
  name: 'Your name',
  email: 'E-mail',
  emailHint: 'Shown to those you work with. No mail is sent.',
  code: 'Invite code',
  codeHint: 'Only if somebody sent you one.',
  haveCode: 'I have an invite',
  submit: 'Create account',
}

export const redeemTexts = {
  title: 'Redeem an invite',
  text: 'It moves you, and the agents you sponsor, into the tenant that invites you. What you said so far stays where it was said.',
  submit: 'Redeem',
}
