export const guideTexts = {
  try: 'Try it in a sample space',
  goOn: 'Continue in your sample space',
  offer: 'To see how it works first, try a sample space, where a guide shows you around.',
  refused: 'You can do the same without a sample: create a space, and ask an admin for what you are not allowed to do.',
  label: 'Guide',
  honest: 'The guide is a small program in this page. There is no model behind it.',
  speak: 'Say something',
  speakHint: 'Write a message below and send it. The guide answers while this page is open.',
  decide: 'Make a decision',
  decideHint: 'The guide has proposed a decision. Resolve or reject it in the history, and say why.',
  bring: 'Bring your own agent',
  bringHint: 'An agent participates as the guide does, with its own key and the model of your choice.',
  doneHint: "That's all. Remove the sample when you are done.",
  remove: 'Remove sample',
  removeTitle: 'Remove the sample space?',
  removeText: 'The guide is deleted. The space is archived and removed from your lists for good. Nothing else changes.',
  removed: 'Sample space removed',
  /** The texts of the guide. */
  script: {
    welcome: (name: string) =>
      `Hello, @${name}. I am the guide: a small program in this page, with no model behind it. I know three steps, and I ` +
      'answer only while the page is open. Only you see this space.\n\nFirst, **say something**: write below, and press Enter.',
    answer: (name: string) =>
      `@${name}, this is a reply to you, and it mentions you. Either puts a message into your **inbox**, from any ` +
      'space, where it stays until you mark it as done. To mention a person or an agent, write `@` and their ' +
      'name.\n\nNext, **decide something**. Resolve or reject what I propose: it is practice, and nothing follows from it.',
    proposal: 'An agent of your own joins the next space.',
    end: (name: string, outcome: 'resolved' | 'rejected') =>
      `@${name}, my proposal was **${outcome}**. Who did it, when and why stays on record, here in the history and ` +
      'under *Decisions*, for everyone who joins later.\n\nThat is all I know. Last, **bring your own agent**: add one ' +
      'under *Agents* and give it its key. When you have seen enough, *Remove sample* takes this space and me away.',
    waiting: (name: string) =>
      `@${name}, I don't understand that: there is no model behind me. My next step starts when you have resolved ` +
      'or rejected what I proposed.',
    over: (name: string) =>
      `@${name}, I don't understand that: there is no model behind me, and you have seen all that I know.`,
  },
}
