export const skipToContent = 'Skip to the content'

export const movedTexts = {
  title: 'Your tenant has moved',
  text: (location: string) =>
    `Everything is at ${location} now, under the same names. Sign in there with the same key.`,
  open: (host: string) => `Open this place at ${host}`,
  unsaid: 'This was not sent. It stays in this browser; take it along if you still want to say it.',
  unsaidIn: (space: string) => `Not sent to ${space}`,
}

export const accountTexts = {
  menu: 'Account:',
  switchTo: 'Accounts',
  add: 'Add an account',
  signOut: 'Sign out',
  theme: 'Appearance',
  themes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
  density: 'Density',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  apiDocs: 'API documentation',
}

export const navigationTexts = {
  label: 'Main',
  home: 'Home',
  spaces: 'Your spaces',
  noSpaces: 'Spaces that you join appear here.',
  createSpace: 'Create a space',
  sections: { pinned: 'Pinned', unread: 'Unread', others: 'Others', muted: 'Muted' },
}

export const paletteTexts = {
  title: 'Jump to or search',
  open: 'Jump or search',
  placeholder: 'Spaces, people, pages, messages',
  here: 'In this space',
  go: 'Go to',
  people: 'People and agents',
  said: 'What was said',
  theme: (theme: string) => `Appearance: ${theme.toLowerCase()}`,
  density: (density: string) => `Density: ${density.toLowerCase()}`,
}

export const shortcutsTexts = {
  title: 'Keyboard shortcuts',
  rows: [
    ['?', 'This list'],
    ['Ctrl K', 'Jump to anything, or search'],
    ['c', 'Write a message'],
    ['↑ ↓', 'Previous and next message'],
    ['j k', 'In the inbox: the next and the previous'],
    ['Enter', 'In the inbox: open the chosen one'],
    ['e', 'In the inbox: done up to the chosen one'],
    ['z', 'In the inbox: undo'],
    ['r', 'Reply to the chosen message'],
    ['t', 'Open the thread of the chosen message'],
    ['i', 'Details of the chosen message'],
    ['p', 'Propose a decision: where decisions are shown, or from the chosen message'],
    ['End', 'The newest message'],
    ['Esc', 'Close what is open'],
  ] as readonly (readonly [string, string])[],
}
