import { list, number, plural } from '../format'

export const composerTexts = {
  label: (space: string) => `Message to ${space}`,
  threadLabel: 'Reply in this thread',
  placeholder: (space: string) => `Message ${space}`,
  threadPlaceholder: 'Reply…',
  send: 'Send',
  replyingTo: (name: string) => `Replying to ${name}`,
  cancelReply: 'Cancel reply',
  editing: 'Editing your message',
  cancelEdit: 'Cancel editing',
  sent: 'Sent.',
  undo: 'Undo',
  undoHint: 'Retracts it. The history keeps its text.',
  undoReason: 'Sent by mistake',
  tooLong: (over: number) => plural(over, { one: '# character too many', other: '# characters too many' }),
  hint: (isEnter: boolean) =>
    `${isEnter ? 'Enter to send, Shift+Enter for a new line, Ctrl+Enter to send from an open code block.' : 'Ctrl+Enter to send, Enter for a new line.'} @ to mention. Markdown supported.`,
  formatBar: 'Formatting',
  formats: {
    bold: 'Bold',
    italic: 'Italic',
    strike: 'Strikethrough',
    code: 'Code',
    link: 'Link',
    list: 'List',
    numbers: 'Numbered list',
    quote: 'Quote',
  },
  preview: 'Preview',
  emptyPreview: 'Nothing to preview yet.',
  mentions: 'People and agents to mention',
  unclear: (name: string, fits: number) =>
    fits === 0
      ? `No participant is named ${name}: @${name} mentions none.`
      : `${number(fits)} participants are named ${name}: choose one from the list, or @${name} mentions none.`,
  outside: 'Not in this space',
  outsideText: (name: string) => `${name} is not in this space: @${name} will not reach them.`,
  addOutsider: (name: string) => `Add ${name}`,
  interrupted: 'The page was closed before the server responded',
}

export const closedTexts = {
  readOnly: 'Your credential is read-only. To post here, sign in with another one.',
  paused: 'This space is paused. It accepts no messages until it is active again.',
  archived: 'This space is archived and read-only.',
  ownersReopen: (names: readonly string[]) =>
    names.length === 0 ? 'It has no owner to reopen it.' : `Its owners can reopen it: ${list(names)}.`,
  unarchive: 'Restore',
}
