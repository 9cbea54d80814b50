import { type Actor, type Client, excerptText, PAGES } from '@collab-spaces/client'
import { requireOwnTenantId } from '../account/own.js'
import { lastEvents } from '../event/history.js'
import { prefixed, UUID } from '../input/form.js'
import { subjectOf } from '../show/claim.js'
import { wordsOf } from '../show/inbox.js'
import { posterOf } from '../show/poster.js'

/** Something that an argument can name. */
export interface NamedItem {
  readonly id: string
  /** The name that a person knows it by. */
  readonly meaning: string
  /** A name that stands for the ID. */
  readonly name?: string
}

/** Things of one kind, among which a short ID is looked up. */
export interface Kind {
  readonly noun:
    | 'agent'
    | 'claim'
    | 'credential'
    | 'invitation'
    | 'decision'
    | 'entry'
    | 'event'
    | 'file'
    | 'incoming webhook'
    | 'invite'
    | 'link'
    | 'member'
    | 'notice'
    | 'thread'
    | 'token'
    | 'webhook'
  /** A whole ID, which is not looked up. */
  readonly form: RegExp
  /** Where they are, for those that belong to a space. */
  readonly space?: string
  /** The command that lists them. */
  readonly listedBy: string
  /** How many of the newest are listed, where there may be more. */
  readonly most?: number
  /** Newest first. */
  readonly list: () => Promise<readonly NamedItem[]>
}

/** The invited agents. */
export const agentCodesOf = (client: Client): Kind => ({
  noun: 'invitation',
  form: prefixed('cod'),
  listedBy: 'spaces agent invites',
  list: async () => {
    const codes = await client.rest('agentCode.list', {})
    return codes.map(({ code_id, display_name }) => ({ id: code_id, meaning: display_name, name: display_name }))
  },
})

/** Among how many of the newest events a short ID is looked up. */
const SEARCHED_EVENTS = 400

export const eventsIn = (client: Client, space_id: string, count = SEARCHED_EVENTS): Kind => ({
  noun: 'event',
  form: UUID,
  space: space_id,
  listedBy: `spaces read ${space_id}`,
  most: count,
  list: async () => {
    const events = await lastEvents(client, space_id, count)
    return events
      .reverse()
      .map((event) => ({ id: event.event_id, meaning: `${posterOf(event)}: ${excerptText(event)}` }))
  },
})

/** The notices in the inbox, or those that are snoozed. */
export const noticesOf = (client: Client, snoozed: boolean): Kind => ({
  noun: 'notice',
  form: UUID,
  listedBy: snoozed ? 'spaces inbox --snoozed' : 'spaces inbox',
  list: async () => {
    const { notices } = await client.inbox.get.query({ peek: true, snoozed })
    return notices.reverse().map((notice) => ({ id: notice.notice_id, meaning: wordsOf(notice.kind, notice.details) }))
  },
})

/** The threads with the newest activity. */
export const threadsIn = (client: Client, space_id: string): Kind => ({
  noun: 'thread',
  form: UUID,
  space: space_id,
  listedBy: `spaces thread list ${space_id}`,
  most: PAGES.threads.max,
  list: async () => {
    const threads = await client.thread.list.query({ space_id, limit: PAGES.threads.max })
    return threads.map(({ thread_id, subject }) => ({ id: thread_id, meaning: subject }))
  },
})

/** A whole ID of a decision. */
export const DECISION_ID = UUID

export const decisionsIn = (client: Client, space_id: string): Kind => ({
  noun: 'decision',
  form: UUID,
  space: space_id,
  listedBy: `spaces decision list ${space_id}`,
  list: async () => {
    const decisions = await client.rest('decision.list', { space_id })
    return decisions
      .reverse()
      .map(({ decision_id, status, text }) => ({ id: decision_id, meaning: `${status}: ${text}` }))
  },
})

export const claimsIn = (client: Client, space_id: string): Kind => ({
  noun: 'claim',
  form: UUID,
  space: space_id,
  listedBy: `spaces claim list ${space_id}`,
  list: async () => {
    const claims = await client.rest('claim.list', { space_id })
    return claims.map((claim) => ({ id: claim.claim_id, meaning: `${subjectOf(claim)}, ${claim.holder_name}` }))
  },
})

export const filesIn = (client: Client, space_id: string): Kind => ({
  noun: 'file',
  form: prefixed('fil'),
  space: space_id,
  listedBy: `spaces file list ${space_id}`,
  most: PAGES.files.max,
  list: async () => {
    const files = await client.file.list.query({ space_id, limit: PAGES.files.max })
    return files.map(({ file_id, name }) => ({ id: file_id, meaning: name, name }))
  },
})

export const linksIn = (client: Client, space_id: string): Kind => ({
  noun: 'link',
  form: prefixed('lnk'),
  space: space_id,
  listedBy: `spaces link list ${space_id}`,
  list: async () => {
    const links = await client.rest('link.list', { space_id })
    return links.reverse().map(({ link_id, link_type, target_id, target_uri }) => ({
      id: link_id,
      meaning: `${link_type} ${target_id ?? target_uri}`,
    }))
  },
})

const actorThing = ({ actor_id, display_name }: Pick<Actor, 'actor_id' | 'display_name'>): NamedItem => ({
  id: actor_id,
  meaning: display_name,
  name: display_name,
})

export const agentsOf = (client: Client): Kind => ({
  noun: 'agent',
  form: prefixed('agt'),
  listedBy: 'spaces agent list',
  list: async () => (await client.rest('actor.myAgents', {})).reverse().map(actorThing),
})

export const membersOf = (client: Client): Kind => ({
  noun: 'member',
  form: prefixed('(usr|agt)'),
  listedBy: 'spaces tenant members',
  list: async () => {
    const members = await client.rest('tenant.members', { tenant_id: await requireOwnTenantId(client) })
    return members.reverse().map(actorThing)
  },
})

export const tokensOf = (client: Client): Kind => ({
  noun: 'token',
  form: prefixed('pat'),
  listedBy: 'spaces token list',
  list: async () => {
    const tokens = await client.token.list.query({})
    return tokens.map(({ pat_id, name }) => ({ id: pat_id, meaning: name, name }))
  },
})

export const credentialsOf = (client: Client, actor_id: string): Kind => ({
  noun: 'credential',
  form: /^(api_key|(pat|pky|idn)_[0-9A-Za-z]{24})$/,
  listedBy: 'spaces credential list',
  list: async () => {
    const credentials = await client.credential.list.query({ actor_id })
    return credentials.map(({ credential_id, name }) => ({
      id: credential_id,
      meaning: name ?? '',
      ...(name !== null && { name }),
    }))
  },
})

export const invitesOf = (client: Client): Kind => ({
  noun: 'invite',
  form: prefixed('inv'),
  listedBy: 'spaces invite list',
  list: async () => {
    const invites = await client.invite.list.query()
    const byAge = [...invites].sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
    return byAge.map(({ invite_id, email }) => ({ id: invite_id, meaning: email === null ? '' : `for ${email}` }))
  },
})

export const webhooksOf = (client: Client): Kind => ({
  noun: 'webhook',
  form: prefixed('whk'),
  listedBy: 'spaces webhook list',
  list: async () => {
    const webhooks = await client.rest('webhook.list', {})
    return webhooks.reverse().map(({ webhook_id, space_id, inbox_of, url }) => ({
      id: webhook_id,
      meaning: `${space_id ?? `inbox of ${inbox_of}`} to ${url}`,
    }))
  },
})

export const incomingIn = (client: Client, space_id: string): Kind => ({
  noun: 'incoming webhook',
  form: prefixed('agt'),
  space: space_id,
  listedBy: `spaces incoming list ${space_id}`,
  list: async () => {
    const webhooks = await client.incomingWebhook.list.query({ space_id })
    const newestFirst = [...webhooks].reverse()
    return newestFirst.map(({ incoming_webhook_id, name, format }) => ({
      id: incoming_webhook_id,
      meaning: `${name}, ${format}`,
      name,
    }))
  },
})

export const entriesOf = (client: Client): Kind => ({
  noun: 'entry',
  form: UUID,
  listedBy: 'spaces audit list',
  most: PAGES.audit.max,
  list: async () => {
    const entries = await client.audit.list.query({ limit: PAGES.audit.max })
    return entries.map(({ entry_id, action, subject_id }) => ({ id: entry_id, meaning: `${action} ${subject_id}` }))
  },
})
