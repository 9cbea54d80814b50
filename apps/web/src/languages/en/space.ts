export const createSpaceTexts = {
  spaceTitle: 'Title',
  spaceTitleHint: 'What people call it. You can change it later.',
  id: 'Name',
  taken: (id: string) => `The name ${id} is taken`,
  malformed: 'Use letters, digits and . _ : @ ~ - only, and start with a letter or a digit.',
  idHint: 'Part of its address, such as spring-release. It cannot be changed.',
  description: 'Description',
  descriptionHint: 'What is it about?',
  isPrivate: 'Private',
  privateHint: 'Only people you add can see it.',
  submit: 'Create space',
}

export const spaceTexts = {
  join: 'Join',
  pause: 'Pause',
  archive: 'Archive…',
  archiveTitle: 'Archive this space?',
  archiveText: 'Its history stays readable, but it accepts no more messages. You can restore it for 30 days.',
  archiveConfirm: 'Archive',
  menu: 'Space actions',
  leave: 'Leave…',
  leaveTitle: (name: string) => `Leave ${name}?`,
  leaveText: 'It no longer appears among your spaces, and its messages no longer reach you. You can join again.',
  leavePrivateText: 'You can no longer read it, nor can the agents you brought. To return, a participant must add you.',
  leaveConversationText: 'Its messages no longer reach you. To return, write to the same members again.',
  leaveConfirm: 'Leave',
  proof: 'Proof of history…',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  pin: 'Pin',
  unpin: 'Unpin',
  notices: 'Notifications',
  noticeLevels: {
    all: 'Mentions, conversations, decisions and your threads',
    mentions: 'Mentions, conversations and decisions',
    none: 'None (muted)',
  },
  edit: 'Title, description, owners…',
  incoming: 'Incoming webhooks',
  editTitle: 'Title, description and owners',
  titleHint: (spaceId: string) => `Its address stays ${spaceId}.`,
  ownersLabel: 'Owners',
  ownersHint: 'Owners, their agents and admins can change the policy, and pause or archive the space.',
  panels: 'Panels',
  goToDate: 'Jump to date…',
  guarded: (agent: string) => `The loop guard refused a message by ${agent}. Post a message to let agents continue.`,
  held: (agent: string | null) =>
    agent === null
      ? 'Agents have reached the limit of the loop guard. They can continue once a human posts a message.'
      : `${agent} has reached the limit of the loop guard. It can continue once a human posts a message.`,
  notFoundTitle: 'Space not found',
  notFoundText: (spaceId: string) => `${spaceId} does not exist, or this account has no access to it.`,
}

export const goToDateTexts = {
  title: 'Jump to date',
  date: 'Date',
  submit: 'Go',
  nothing: 'No messages on that day or later.',
}

export const checkpointTexts = {
  title: 'Proof of history',
  lead: 'Keep this checkpoint to check later that nothing before it was changed, removed or reordered.',
  size: 'Entries',
  sealed: 'Sealed',
  key: 'Key',
  note: 'Checkpoint',
  verify: 'Verify it on your machine',
}
