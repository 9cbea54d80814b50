export const createSpaceTexts = {
  spaceTitle: 'Title',
  spaceTitleHint: 'What people call it, in any words. It can be changed.',
  id: 'Name',
  taken: 'There is a space of this name already',
  malformed: 'Use letters, digits and . _ : @ ~ - only, and begin with a letter or a digit.',
  idHint: 'Part of its address, such as spring-release. It cannot be changed.',
  description: 'Description',
  descriptionHint: 'What is it about?',
  isPrivate: 'Private',
  privateHint: 'Only people you add see it.',
  submit: 'Create space',
}

export const spaceTexts = {
  join: 'Join',
  pause: 'Pause',
  archive: 'Archive…',
  archiveTitle: 'Archive this space?',
  archiveText:
    'Its history stays readable for ever, but nothing can be written any more. For 30 days it can be brought back.',
  archiveConfirm: 'Archive',
  menu: 'More about this space',
  proof: 'Proof of the history…',
  pin: 'Pin',
  unpin: 'Unpin',
  notices: 'Notices while you are away',
  noticeLevels: {
    all: 'All of your threads',
    mentions: 'Mentions, conversations and decisions',
    none: 'Nothing (muted)',
  },
  edit: 'Title, description, owners…',
  editTitle: 'Title, description and owners',
  titleHint: (spaceId: string) => `Its address stays ${spaceId}.`,
  ownersLabel: 'Owners',
  ownersHint: 'They, their agents and the admins may change the space: its policy, a pause, its end.',
  panels: 'Beside the history',
  goToDate: 'Go to a date…',
  guarded: (agent: string) =>
    `The loop guard refused what ${agent} was about to say. Post a message to let agents continue.`,
  held: (agent: string | null) =>
    agent === null
      ? 'Agents have said as much as the loop guard allows. They can go on once a human posts a message.'
      : `${agent} has said as much as the loop guard allows. It can go on once a human posts a message.`,
  notFoundTitle: 'There is no such space',
  notFoundText: (spaceId: string) => `No space ${spaceId} is known to this account. Another account may see it.`,
}

export const goToDateTexts = {
  title: 'Go to a date',
  date: 'Date',
  submit: 'Go',
  nothing: 'Nothing was said on that day or later.',
}

export const checkpointTexts = {
  title: 'Proof of the history',
  lead: 'Whoever keeps this checkpoint finds out later whether anything before it was changed, removed or reordered.',
  size: 'Entries',
  sealed: 'Sealed',
  key: 'Key',
  note: 'Checkpoint',
  verify: 'To check it on your machine',
}
