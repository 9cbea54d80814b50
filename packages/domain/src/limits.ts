/** Every limit of the API in one place. Lengths are in code points. Documented in docs/api.md, "Limits". */
export const LIMITS = {
  spaceId: 128,
  text: 100_000,
  /** The title of a space. */
  title: 100,
  description: 2_000,
  subject: 200,
  displayName: 100,
  /** What an actor does. */
  actorTitle: 100,
  /** The bytes of a picture of an actor, its width and height in pixels, and the actors whose pictures are listed at once. */
  pictureBytes: 64 * 1024,
  pictureSide: 1_024,
  pictures: 100,
  speakerId: 200,
  speakerName: 200,
  speakerType: 64,
  /** Webhooks of an actor, of a tenant, and of a space; the last one is decisive in the shared tenant only. */
  webhooks: 20,
  tenantWebhooks: 200,
  spaceWebhooks: 200,
  webhookUrl: 2_048,
  webhookHosts: 100,
  /** Incoming webhooks of a space, and the parts of one. */
  incomingWebhooks: 50,
  incomingTemplate: 2_000,
  incomingThreadKey: 200,
  incomingPeople: 500,
  incomingPerson: 100,
  /** Deliveries of an incoming webhook that are kept. */
  incomingDeliveries: 20,
  /** A name of DNS, or one with `*.` before it. */
  hostName: 255,
  /** Attempts of a webhook that are kept. */
  webhookAttempts: 20,
  /** Entries of `references` and `links`, and the length of one of them. */
  uris: 100,
  uri: 2_048,
  agentProfile: 10_000,
  resolution: 10_000,
  /** Why an agent was stopped. */
  stopReason: 500,
  /** How many of the things that end with a credential are shown. */
  endedShown: 100,
  linkType: 64,
  query: 500,
  /** The characters of an emoji, different emoji of an event, and all its reactions. */
  emoji: 64,
  reactionEmojis: 20,
  reactions: 1_000,
  tokenName: 64,
  /** Live sessions of a human: beyond, the oldest ends. */
  sessions: 20,
  passkeys: 20,
  passkeyName: 64,
  /** Commands that wait to be let in: from one address, and in all. */
  devicesOfAddress: 20,
  devices: 10_000,
  /** A command's name for the machine that it runs on. */
  deviceName: 100,
  /** The subject of an OpenID Connect identity, the longest that the standard allows. */
  subjectOfIdentity: 255,
  /** Spaces that a credential can be limited to. */
  credentialSpaces: 50,
  /** Spaces that an agent joins with its code. */
  codeSpaces: 20,
  tenantName: 100,
  /** Invites in one batch. */
  inviteBatch: 100,
  email: 254,
  installationId: 200,
  agentAdapter: 200,
  idempotencyKey: 255,
  /** Participants that one event can mention. */
  mentions: 100,
  /** The person who asked for an erasure, and the reason. */
  erasureBy: 200,
  erasureReason: 2_000,
  /** Spaces whose events one stream of an actor carries. */
  followed: 50,
  /** Files that one event can name, the name of one, and its type. */
  eventFiles: 10,
  fileName: 255,
  contentType: 255,
  /** How many hours a file can be unattached. */
  unattachedHours: 24,
  /** Events in one batch. */
  batch: 100,
  /** Notices of one kind that an actor has at a time, and as many that are snoozed. */
  notices: 100,
  /** Push subscriptions (browsers) of a human. */
  pushSubscriptions: 20,
  pushEndpoint: 2_048,
  /** The name of a view of the page. */
  view: 64,
  /** Entries that can be marked as done at once. */
  done: 100,
  /** Notices that can be dismissed at once: as many as an actor can have. */
  dismissed: 2_400,
  /** Claims that an actor holds at a time in a space, and the key, note and progress of one. */
  workClaims: 100,
  workClaimKey: 200,
  workClaimNote: 500,
  progress: 500,
  /** Events whose receipts can be read at once. */
  receiptEvents: 50,
  /** Why something in an inbox was declined. */
  declineReason: 500,
  /** Requests of an actor that wait at a time, on one server. */
  waits: 4,
  /** Unread events of a space are counted up to so many, which means as many or more. */
  unread: 100,
  /** Answers that a proposal offers, and the parts of one. */
  options: 10,
  optionId: 64,
  optionLabel: 100,
  optionDescription: 500,
  /** The type and title of an action, and the actors that it names as its users. */
  actionType: 100,
  actionTitle: 200,
  actionUsers: 10,
  /** How many days a decision can be open at most, if it expires. */
  decisionDays: 90,
  /** Actors that a decision can be assigned to. */
  assignees: 20,
  /** Decisions of those assigned to an actor that its inbox shows. */
  assignedDecisions: 20,
  /** Approvals that one decision can have, and how many of them a space can require. */
  approvals: 100,
  requiredApprovals: 10,
  reviewNote: 2_000,
  /** Owners that a space can have. */
  owners: 50,
  /** Actors that a human can block. */
  blocks: 1_000,
  /** Participants of a conversation. */
  conversation: 20,
  /** How many days an archived space can be brought back. */
  unarchiveDays: 30,
  /** Actors that a space can name as those who settle its decisions. */
  resolvers: 50,
  /** Events of all agents, or of one, that a loop guard can allow since a human last spoke. */
  guardedRun: 1_000,
  guardedOwn: 200,
  /** How many days an invite can be redeemed by default. */
  inviteDays: 7,
  /** How many days it can be redeemed at most. */
  maxInviteDays: 90,
  /** Serialized free-form JSON (`metadata`), in bytes of UTF-8. */
  freeJsonBytes: 65_536,
  /** How deep any JSON of a request may nest. */
  nesting: 32,
  /** A request body, in bytes, where nothing below says less. */
  bodyBytes: 4 * 1024 * 1024,
  /** Values in a request body, with all those in its lists and objects. */
  bodyValues: 50_000,
  /** Equal parts of the time of an activity digest in which events are counted. */
  activityBuckets: 200,
} as const

/**
 * How large the body of an operation can be, in bytes: enough for all of its fields at their limits, however they are
 * written. A character takes 12 bytes where it is sent as two escapes (`\ud83d\ude00`), and a byte of free-form JSON 6,
 * where its letters are.
 */
export const BODY_BYTES = {
  /**
   * For unauthenticated callers. Holds the longest profile and metadata unless every letter of them is escaped.
   */
  stranger: 128 * 1024,
  /** A free-form object (393 KB), two URIs (49 KB), or a resolution (120 KB). */
  usual: 512 * 1024,
  /** A text (1.2 MB) and its metadata (393 KB). */
  text: 2 * 1024 * 1024,
  /** A list of URIs (2.5 MB), alone or with all other fields; a batch. */
  most: LIMITS.bodyBytes,
} as const

/** How long a request may wait for something to happen, in seconds: less than what cuts off idle connections. */
export const WAIT = { min: 0, max: 50, default: 0 } as const

/** The range and the default of each `limit` parameter. */
export const PAGES = {
  events: { min: 1, max: 200, default: 50 },
  files: { min: 1, max: 200, default: 50 },
  /** Of a list that is whole without a `limit`. */
  list: { min: 1, max: 200 },
  acts: { min: 1, max: 200, default: 50 },
  decisions: { min: 1, max: 50, default: 20 },
  mentions: { min: 1, max: 100, default: 20 },
  search: { min: 1, max: 100, default: 20 },
  threads: { min: 1, max: 100, default: 20 },
  audit: { min: 1, max: 200, default: 50 },
  inbox: { min: 1, max: 100, default: 50 },
  /** Events per participant in the activity digest. */
  activity: { min: 1, max: 20, default: 5 },
} as const

/** How many tokens a context may take, as they are estimated. */
export const CONTEXT_BUDGET = { min: 500, max: 200_000, default: 8_000 } as const
