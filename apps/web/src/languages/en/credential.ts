import { list, number, plural } from '../format'

export const signInMethodTexts = {
  title: 'Sign-in methods and sessions',
  emptyTitle: 'You sign in with your key',
  emptyText: 'With a passkey, your device is all you need. Your key stays as a fallback.',
  addPasskey: 'Add a passkey',
  addText: 'Your device or password manager creates it and verifies you each time.',
  addEmail: 'Add an email address',
  addEmailText: 'You can then sign in by links sent there. Access to that mailbox is then access to your account.',
  bind: (name: string) => `Connect ${name}`,
  everywhere: 'End all sessions',
  kinds: {
    passkey: 'Passkey',
    identity: 'Identity',
    session: 'Session',
    grant: 'App',
    token: 'Token',
    api_key: 'API key',
  },
}

export const newKeyTexts = {
  title: 'Your key',
  text: 'It is your password for this service and is shown only once. Store it in a password manager: it cannot be shown again.',
  label: 'API key',
}

export const grantsTexts = {
  title: 'Connected apps',
  actsAs: (name: string) => `Acts as ${name}`,
}

export const endedTexts = {
  before: 'These were created with it and end with it. Agents are stopped, not deleted.',
  after: 'These were created with it and have ended. Agents are stopped, not deleted.',
  more: (count: number) => `and ${number(count)} more, listed in the security log`,
  kinds: {
    token: 'Token',
    session: 'Session',
    grant: 'Grant to',
    passkey: 'Passkey',
    identity: 'Identity',
    api_key: 'The API key of',
    agent: 'Agent',
    agent_code: 'Invitation of the agent',
    invite: 'Invite',
    notification_channel: 'Notifications to',
    webhook: 'Webhook to',
  },
}

export const createTokenTexts = {
  text: 'Acts as you, within these limits.',
  nameHint: 'What uses it, so that you recognize it later.',
  submit: 'Create token',
}

export const limitsTexts = {
  scopes: 'Permissions',
  scopeNames: { read: 'Read', write: 'Write', react: 'React', settle: 'Settle', manage: 'Manage', account: 'Account' },
  scopeHints: {
    read: 'Spaces, messages, search',
    write: 'Post, join, propose',
    react: 'Add reactions to messages',
    settle: 'Approve and settle decisions',
    manage: 'Change and archive spaces, webhooks',
    account: 'Credentials, agents, members',
  },
  allScopes: 'Full access',
  spaces: 'Only in these spaces',
  spacesHint: 'None selected: all spaces.',
  allSpaces: 'All spaces',
  someSpaces: (names: readonly string[]) =>
    names.length <= 2 ? list(names) : plural(names.length, { one: '# space', other: '# spaces' }),
  lifetime: 'Expires',
  lifetimes: {
    day: 'After a day',
    week: 'After a week',
    month: 'After 30 days',
    quarter: 'After 90 days',
    year: 'After a year',
    always: 'Never',
  },
  ends: 'Expires',
  noEnd: 'Does not expire',
}

export const ownKeyTexts = {
  title: 'Your key',
  current: 'Your current access',
  rotate: 'Replace the key',
  rotateHint: 'If it may have leaked. This tab continues with the new one.',
  rotateTitle: 'Replace your key?',
  rotateText: 'The old one stops working immediately, wherever it is used. Tokens stay valid.',
  rotateSubmit: 'Replace key',
  everywhere: 'Sign out everywhere',
  everywhereHint:
    'Replaces the key and ends everything created with any of your credentials. Only this tab stays signed in.',
  everywhereTitle: 'Sign out everywhere?',
  everywhereText:
    'The key and every token stop working immediately, on all devices and in all programs. Your agents are stopped.',
}

export const credentialsTexts = {
  title: 'Account and security',
  lead: 'Your API key, and the tokens that you give to programs.',
  tokens: 'Tokens',
  create: 'New token',
  emptyTitle: 'Give programs tokens, not your key',
  emptyText: 'A token allows only what a script needs, for as long as it needs it, and can be revoked separately.',
  showRevoked: 'Show revoked tokens',
  revoked: 'Revoked',
  expired: 'Expired',
  neverUsed: 'Never used',
  lastUsed: 'Last used',
  revokeNamed: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText: 'Everything that uses it stops working immediately. This cannot be undone.',
  secret: {
    title: 'Your token',
    text: 'It is shown only once. Copy it now. If you lose it, revoke it and create another one.',
    label: 'Token',
  },
}
