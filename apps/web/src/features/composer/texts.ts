export const composerTexts = {
  label: (space: string) => `Message to ${space}`,
  threadLabel: 'Reply in this thread',
  placeholder: (space: string) => `Write to ${space}`,
  threadPlaceholder: 'Reply…',
  send: 'Send',
  replyingTo: (name: string) => `Replying to ${name}`,
  cancelReply: 'Do not reply to this message',
  tooLong: (over: number) => `${over.toLocaleString()} characters too many`,
  hint: 'Enter sends, Shift+Enter begins a line; in an open code block, Ctrl+Enter sends. @ mentions. Markdown works.',
  mentions: 'People and agents to mention',
  unclear: (name: string, fits: number) =>
    fits === 0
      ? `Nobody here is called ${name}: @${name} will mention nobody.`
      : `${fits} here are called ${name}: choose one from the list, or @${name} will mention nobody.`,
  interrupted: 'The page was closed before the answer came',
}

export const closedTexts = {
  readOnly: 'You are signed in with a credential that only reads. To write here, sign in with another one.',
  paused: 'This space is paused. Nothing can be written until it is active again.',
  archived: 'This space is archived. It can be read, but not written.',
  ownersReopen: (names: readonly string[]) =>
    names.length === 0 ? 'It has no owner who could reopen it.' : `Its owners can reopen it: ${names.join(', ')}.`,
  unarchive: 'Bring it back',
}
