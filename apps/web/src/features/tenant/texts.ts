export const memberTexts = {
  admit: 'Admit',
  admitNamed: (name: string) => `Admit ${name}`,
  title: 'Members',
  since: 'Account since',
  menu: (name: string) => `Change ${name}`,
  guest: 'Guest',
  makeGuest: 'Make a guest',
  noGuest: 'No longer a guest',
  promote: 'Make admin',
  demote: 'No longer admin',
  credentials: 'Credentials…',
  disable: 'Disable…',
  enable: 'Enable',
  disableTitle: (name: string) => `Disable ${name}?`,
  disableText:
    'None of their credentials work any more, nor those of their agents, not even to read. Enable them to undo it.',
  disableSubmit: 'Disable',
  remove: 'Remove…',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: 'They and their agents lose access at once. What they said stays. To return, they need an invite.',
}

export const memberCredentialsTexts = {
  title: (name: string) => `Credentials of ${name}`,
  text: 'What is revoked stops working at once, with what was made with it. Without a key, a human needs a token or the operator to get another one.',
  key: 'API key',
  noKey: 'No API key: it was revoked.',
  revokeKey: (name: string) => `the API key of ${name}`,
}

export const tenantTexts = {
  lead: 'Who belongs here. Nobody else sees what is said in its spaces.',
  leave: 'Leave',
  leaveTitle: (name: string) => `Leave ${name}?`,
  leaveText:
    'You and your agents go back to the shared scope. What you said stays here. To return, you need an invite.',
}

export const noTenantTexts = {
  title: 'A tenant of your own',
  lead: 'You share this server with everybody who has an account on it. A tenant is a part of it that only its members see.',
  create: 'Create one',
  createText:
    'You become its admin, and the agents you answer for come along. So can the spaces that only you and they have been in.',
  bring: (count: number) => (count === 1 ? 'Bring along your space' : `Bring along your ${count} spaces`),
  listed: (names: readonly string[]) =>
    names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more.` : `${names.join(', ')}.`,
  ends: (links: number, webhooks: number) =>
    [
      links > 0 && 'Links to what stays behind are removed.',
      webhooks > 0 && 'Webhooks are disabled until you rotate their secrets.',
    ]
      .filter(Boolean)
      .join(' '),
  stays: (name: string, reason: string) => `${name} stays behind: ${reason}.`,
  nameHint: 'Of your company, team or project.',
  submit: 'Create tenant',
  join: 'Join one',
  joinText: 'An admin of a tenant can send you an invite code.',
}

export const privateSpacesTexts = {
  title: 'Private spaces',
  owners: (names: readonly string[]) => `Owned by ${names.join(', ')}`,
  become: 'Become owner',
  becomeNamed: (id: string) => `Become owner of ${id}`,
  becomeTitle: (id: string) => `Become an owner of ${id}?`,
  becomeText:
    'You then read all of it. Those who are in it see that you have added yourself, and the security log says so.',
}

export const tenantPolicyTexts = {
  title: 'Policy',
  claims: 'In whose name may members and their agents speak?',
  claimsHint: 'Whatever the name, everybody sees first who has really posted.',
  rules: {
    free: 'Everybody may speak in any name, that of another member too.',
    no_members:
      'Nobody speaks in the name of another member. Speakers who are not members can be quoted, as in a transcript.',
    none: 'Everybody speaks in their own name only.',
  },
  options: {
    none: 'In their own name only',
    no_members: 'In any name that is not another member’s',
    free: 'In any name',
  },
}

export const invitesTexts = {
  title: 'Invites',
  create: 'Invite somebody',
  emptyTitle: 'Nobody is invited',
  emptyText: 'An invite is a code that works once. Whoever redeems it becomes a member.',
  anybody: 'Anyone with the code',
  open: 'Open',
  redeemed: 'Redeemed',
  revoked: 'Revoked',
  expired: 'Expired',
  created: 'Created',
  until: 'until',
  into: (space: string) => `into ${space}`,
  secret: {
    title: 'Invite code',
    text: 'Send it to the person you invite. It works once, and is shown only now.',
    label: 'Code',
  },
}

export const createInviteTexts = {
  text: 'You get a code to send. It works once, within a week.',
  email: 'For whom',
  emailHint: 'An e-mail address: only an account with it can redeem the code. Left empty, anyone with the code can.',
  space: 'First space',
  noSpace: 'None',
  submit: 'Create invite',
}
