export const skipToContent: string = 'Skip to content'

export const movedTexts = {
  title: 'Your organization has moved',
  text: (location: string) =>
    `Your spaces are at ${location} now, under the same names. Sign in there with the same key.`,
  open: (host: string) => `Open this page at ${host}`,
  unsent: 'This was not sent. It stays in this browser: copy it if you still want to send it.',
  unsentIn: (space: string) => `Not sent to ${space}`,
}

export const accountTexts = {
  menu: 'Account:',
  switchTo: 'Accounts',
  add: 'Add an account',
  profile: 'Edit your profile…',
  signOut: 'Sign out',
  theme: 'Appearance',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  density: 'Density',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  sendKey: 'Send a message with',
  sendKeys: { enter: 'Enter', ctrlEnter: 'Ctrl+Enter' },
  apiDocs: 'API documentation',
}

export const navigationTexts = {
  label: 'Main',
  home: 'Home',
  settings: 'Settings',
  bar: 'Quick navigation',
  search: 'Search',
  menu: 'Menu',
  spaces: 'Your spaces',
  noSpaces: 'Spaces you join appear here.',
  createSpace: 'Create a space',
  noConversations: 'Messages to a person or an agent appear here.',
  sections: { pinned: 'Pinned', unread: 'Unread', others: 'Other', muted: 'Muted' },
}

export const paletteTexts = {
  title: 'Search or jump to',
  open: 'Search or jump to…',
  placeholder: 'Spaces, people, pages, messages',
  here: 'In this space',
  keys: 'Ctrl K',
  go: 'Go to',
  people: 'People and agents',
  said: 'Messages',
  theme: (theme: string) => `Appearance: ${theme.toLowerCase()}`,
  density: (density: string) => `Density: ${density.toLowerCase()}`,
}

export const shortcutsTexts = {
  title: 'Keyboard shortcuts',
  groups: [
    {
      title: 'Everywhere',
      rows: [
        ['?', 'Show this list'],
        ['Ctrl K', 'Search or jump to'],
        ['Esc', 'Close, or leave the field for the messages'],
      ],
    },
    {
      title: 'Messages',
      rows: [
        ['c', 'Write a message'],
        ['↑ ↓', 'Previous and next message'],
        ['End', 'Newest message'],
        ['r', 'Reply to the selected message'],
        ['t', 'Open the thread of the selected message'],
        ['i', 'Details of the selected message'],
        ['p', 'Propose a decision, on the decisions page or from the selected message'],
      ],
    },
    {
      title: 'Writing',
      rows: [
        ['↑', 'Edit your last message, in the empty field'],
        ['Ctrl B, I, E', 'Bold, italic, code'],
        ['Ctrl K', 'Make the selected words a link'],
        ['Ctrl Shift 7, 8, 9', 'Numbered list, list, quote'],
      ],
    },
    {
      title: 'Inbox',
      rows: [
        ['j k', 'Next and previous item'],
        ['Enter', 'Open the selected item'],
        ['r', 'Answer the selected item'],
        ['e', 'Mark as done up to the selected item'],
        ['z', 'Undo'],
      ],
    },
  ] as readonly { readonly title: string; readonly rows: readonly (readonly [string, string])[] }[],
}
