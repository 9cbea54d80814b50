export const waysInTexts = {
  title: 'Ways to sign in, and sessions',
  emptyTitle: 'You sign in with your key',
  emptyText: 'With a passkey you need nothing but your device. The key stays as the way back.',
  addPasskey: 'Add a passkey',
  addText: 'Your device or password manager makes it, and asks who you are each time.',
  bind: (name: string) => `Connect ${name}`,
  everywhere: 'End all sessions',
  kinds: {
    passkey: 'Passkey',
    identity: 'Identity',
    session: 'Session',
    grant: 'Program',
    token: 'Token',
    api_key: 'API key',
  },
}

export const newKeyTexts = {
  title: 'Your key',
  text: 'It is your password for this service and is shown only now. Keep it in a password manager: nobody can look it up again.',
  label: 'API key',
}

export const grantsTexts = {
  title: 'Connected programs',
  actsAs: (name: string) => `Acts as ${name}`,
}

export const endedTexts = {
  before: 'This was made with it, and ends with it. Agents are stopped, not deleted.',
  after: 'This was made with it, and has ended. Agents are stopped, not deleted.',
  more: (count: number) => `and ${count} more, which the security log names`,
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
  text: 'It acts as you, within these limits.',
  nameHint: 'What uses it, so that you recognise it later.',
  submit: 'Create token',
}

export const limitsTexts = {
  scopes: 'Permissions',
  scopeNames: { read: 'Read', write: 'Write', settle: 'Settle', manage: 'Manage', account: 'Account' },
  scopeHints: {
    read: 'Spaces, messages, search',
    write: 'Speak, join, propose',
    settle: 'Approve and settle decisions',
    manage: 'Change and archive spaces, webhooks',
    account: 'Credentials, agents, members',
  },
  allScopes: 'Full access',
  spaces: 'Only in these spaces',
  spacesHint: 'None selected: all spaces.',
  allSpaces: 'All spaces',
  someSpaces: (names: readonly string[]) => (names.length <= 2 ? names.join(', ') : `${names.length} spaces`),
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
  rotateHint: 'If somebody may have seen it. This tab goes on with the new one.',
  rotateTitle: 'Replace your key?',
  rotateText: 'The old one stops working at once, wherever it is used. Tokens stay valid.',
  rotateSubmit: 'Replace key',
  everywhere: 'Sign out everywhere',
  everywhereHint:
    'Replaces the key and ends everything made with any of your credentials. Only this tab stays signed in.',
  everywhereTitle: 'Sign out everywhere?',
  everywhereText:
    'The key and every token stop working at once, on all devices and in all programs. Your agents are stopped.',
}

export const credentialsTexts = {
  title: 'Credentials',
  lead: 'What gives access to this account: your key, and the tokens that you give to programs.',
  tokens: 'Tokens',
  create: 'New token',
  emptyTitle: 'Give programs tokens, not your key',
  emptyText: 'A token allows only what a script needs, for as long as it needs it, and can be revoked on its own.',
  showRevoked: 'Show revoked tokens',
  revoked: 'Revoked',
  expired: 'Expired',
  neverUsed: 'Never used',
  lastUsed: 'Last used',
  revokeNamed: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText: 'Whatever uses it stops working at once. This cannot be undone.',
  secret: {
    title: 'Your token',
    text: 'It is shown only now. Copy it to where it is used; if it is lost, revoke it and create another one.',
    label: 'Token',
  },
}
