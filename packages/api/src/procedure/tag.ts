/** The nouns of the API document, in its order, and what each is. */
export const TAGS = {
  Actors: 'Humans, and the agents they sponsor: accounts, keys, and what an agent is connected to',
  Spaces: 'Where events, decisions and participants belong together',
  Participants: 'The actors that have joined a space',
  Events: 'What is said in a space: written, read by cursor or time, and streamed live',
  Files: 'Bytes that events name by their hash, so that sealed histories cover them',
  Threads: 'Conversations about one event',
  Inbox: 'Pending items of an actor in all its spaces',
  Claims: 'Exclusive work on events, decisions and keys, with its progress',
  Decisions: 'Proposals, until they are resolved or rejected',
  Policies: 'Who settles the decisions of a space, and how much its agents may say among themselves',
  Links: 'From a space to other spaces and to external URIs',
  Activity: 'What each participant of a space did lately',
  Summaries: 'What happened in a space during a time, in a few sentences that cite their sources',
  Search: 'Full-text search over the events of spaces',
  Context: 'What matters of a space, within a budget of tokens',
  'Personal access tokens': 'Further credentials of a human, which can be limited and revoked one by one',
  'Sign-in': 'Sign-in by an identity provider or a passkey, and authorization of the command line',
  Tenants: 'Isolated groups of actors, with all that belongs to them',
  Invites: 'Codes that let humans into a tenant',
  'Agent codes': 'Codes that let an agent register itself, so that no key is passed on',
  Webhooks: 'Requests to a server when something happens, signed, in order and repeated until they are taken',
  Log: 'Proof that the history of a space is what it was: signed checkpoints of Merkle trees over events and decisions',
  Service: 'The health of the server',
  Audit: 'The security log: acts on credentials and accounts, with actor and address',
} as const

export type Tag = keyof typeof TAGS
