import { list, number, plural } from '../format'

export const memberTexts = {
  admit: 'Admit',
  admitNamed: (name: string) => `Admit ${name}`,
  title: 'Members',
  since: 'Account since',
  menu: (name: string) => `Actions for ${name}`,
  guest: 'Guest',
  makeGuest: 'Make a guest',
  noGuest: 'Make full member',
  promote: 'Make admin',
  demote: 'Remove admin',
  credentials: 'Credentials…',
  disable: 'Disable…',
  enable: 'Enable',
  disableTitle: (name: string) => `Disable ${name}?`,
  disableText: 'Their credentials and those of their agents stop working, even for reading. Enable them to undo this.',
  disableSubmit: 'Disable',
  remove: 'Remove…',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: 'They and their agents lose access immediately. Their messages stay. To return, they need an invite.',
}

export const memberCredentialsTexts = {
  title: (name: string) => `Credentials of ${name}`,
  text: 'A revoked credential stops working immediately, with everything created with it. Without a key, a human needs a token or the operator to get another one.',
  key: 'API key',
  noKey: 'No API key: it was revoked.',
  revokeKey: (name: string) => `the API key of ${name}`,
}

export const tenantTexts = {
  lead: 'Its members. Only they see what is posted in its spaces.',
  leave: 'Leave',
  leaveTitle: (name: string) => `Leave ${name}?`,
  leaveText: 'You and your agents are then in no organization. Your messages stay here. To return, you need an invite.',
}

export const noTenantTexts = {
  title: 'Your own organization',
  lead: 'You share this server with everyone who has an account on it. An organization is a part of it that only its members see.',
  create: 'Create an organization',
  createText:
    'You become its admin, and your agents move with you. So can the spaces that only you and they have used.',
  bring: (count: number) => plural(count, { one: 'Move your space', other: 'Move your # spaces' }),
  listed: (names: readonly string[]) =>
    names.length > 5 ? `${list(names.slice(0, 5))} and ${number(names.length - 5)} more.` : `${list(names)}.`,
  ends: (links: number, webhooks: number) =>
    [
      links > 0 && 'Links to spaces that stay behind are removed.',
      webhooks > 0 && 'Webhooks are disabled until you rotate their secrets.',
    ]
      .filter(Boolean)
      .join(' '),
  stays: (name: string, reason: string) => `${name} stays behind: ${reason}.`,
  nameHint: 'Of your company, team or project.',
  submit: 'Create organization',
  join: 'Join an organization',
  joinText: 'An admin of an organization can send you an invite link.',
}

export const privateSpacesTexts = {
  title: 'Private spaces',
  owners: (names: readonly string[]) => `Owned by ${list(names)}`,
  become: 'Become owner',
  becomeNamed: (id: string) => `Become owner of ${id}`,
  becomeTitle: (id: string) => `Become an owner of ${id}?`,
  becomeText:
    'You can then read all of it. Its participants see that you added yourself, and the security log records it.',
}

export const tenantPolicyTexts = {
  title: 'Policy',
  claims: 'In whose name can members and their agents post?',
  claimsHint: 'Whatever the name, the actual poster is shown first.',
  rules: {
    free: 'Members can post in any name, including that of another member.',
    no_members:
      'Members cannot post in the name of another member. Speakers who are not members can be quoted, as in a transcript.',
    none: 'Members post in their own name only.',
  },
  options: {
    none: 'In their own name only',
    no_members: 'In any name except another member’s',
    free: 'In any name',
  },
}

export const invitesTexts = {
  title: 'Invites',
  create: 'Invite member',
  emptyTitle: 'No invites',
  emptyText: 'An invite is a link that works once. The person who opens it becomes a member.',
  anyone: 'Anyone with the link',
  open: 'Open',
  redeemed: 'Redeemed',
  revoked: 'Revoked',
  expired: 'Expired',
  created: 'Created',
  until: 'until',
  into: (space: string) => `into ${space}`,
  secret: {
    title: 'Invite link',
    text: 'Each link works once, and is shown only once. Send it to the person you invite, unless it was sent by email.',
    label: 'Link',
  },
}

export const createInviteTexts = {
  text: 'You get a link for each person. It works once, within a week.',
  emails: 'Email addresses',
  emailsHint: 'One or more. Only an account with the address can use its link. Left empty, anyone with the link can.',
  send: 'Send the links by email (at most 20 a day)',
  notSent: 'not sent',
  space: 'First space',
  noSpace: 'None',
  submit: (count: number) => plural(Math.max(count, 1), { one: 'Create invite', other: 'Create # invites' }),
}
