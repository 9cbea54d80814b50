import { readFile } from 'node:fs/promises'
import { CONTEXT_BUDGET, LIMITS, PAGES, WAIT } from '@collab-spaces/domain'
import { expect, it } from 'vitest'

const number = (value: number) => value.toLocaleString('en')
const upTo = (limit: number) => `up to ${number(limit)}`
const oneTo = (limit: number) => `1 to ${number(limit)}`
const range = ({ min, max }: { min: number; max: number }) => `${number(min)} to ${number(max)}`
const page = (limit: { min: number; max: number; default: number }) =>
  `${range(limit)}, default ${number(limit.default)}`

/** Rows of the table; some have several fields. */
const ROWS: readonly (readonly [name: string, limit: string])[] = [
  ['`space_id`', `${oneTo(LIMITS.spaceId)} of letters`],
  ['`text`', oneTo(LIMITS.text)],
  ['`title` of a space', upTo(LIMITS.title)],
  ['`title` of an actor', oneTo(LIMITS.actorTitle)],
  ['Picture of an actor', `up to ${LIMITS.pictureBytes / 1024} KiB, and ${LIMITS.pictureSide.toLocaleString('en')} ×`],
  ['`description`', upTo(LIMITS.description)],
  ['`subject`', oneTo(LIMITS.subject)],
  ['`display_name`', oneTo(LIMITS.displayName)],
  ['`email`', upTo(LIMITS.email)],
  ['`agent_profile`', upTo(LIMITS.agentProfile)],
  ['`speaker_id`, `speaker_name`, `agent_adapter`', oneTo(LIMITS.speakerId)],
  ['`installation_id`', oneTo(LIMITS.installationId)],
  ['`speaker_type`', oneTo(LIMITS.speakerType)],
  ['`references`, `links`', `${upTo(LIMITS.uris)} entries of ${oneTo(LIMITS.uri)}`],
  ['`metadata`, `attributes`', upTo(LIMITS.freeJsonBytes / 1024)],
  ['`resolution`', oneTo(LIMITS.resolution)],
  ['`note` of a review', oneTo(LIMITS.reviewNote)],
  ['`assignees` of a decision', upTo(LIMITS.assignees)],
  ['Approvals of a decision', number(LIMITS.approvals)],
  ['`settle.named` of a policy', upTo(LIMITS.resolvers)],
  ['`owners` of a space', oneTo(LIMITS.owners)],
  ['`loop_guard` of a policy', `\`total\` ${upTo(LIMITS.guardedRun)}, \`per_agent\` ${upTo(LIMITS.guardedOwn)}`],
  ['`reason` of a stop', oneTo(LIMITS.stopReason)],
  ['`link_type`, `name` of a token', oneTo(LIMITS.tokenName)],
  ['`space_ids` of a credential', oneTo(LIMITS.credentialSpaces)],
  ['`name` of a tenant', oneTo(LIMITS.tenantName)],
  ['`q`', oneTo(LIMITS.query)],
  ['Nesting of any JSON', number(LIMITS.nesting)],
  ['`events` of a batch', oneTo(LIMITS.batch)],
  ['Values in a body, with all those in its lists and objects', number(LIMITS.bodyValues)],
  ['Participants in `metadata.mentions`', number(LIMITS.mentions)],
  ['`limit`', `events and the audit log ${page(PAGES.events)}`],
  ['`limit`', `events and the audit log ${page(PAGES.audit)}`],
  ['`limit`', `threads, mentions and search ${page(PAGES.threads)}`],
  ['`limit`', `threads, mentions and search ${page(PAGES.mentions)}`],
  ['`limit`', `threads, mentions and search ${page(PAGES.search)}`],
  ['`limit`', `found decisions and those of all spaces ${page(PAGES.decisions)}`],
  ['`limit`', `acts ${page(PAGES.acts)}`],
  ['`limit`', `the inbox ${page(PAGES.inbox)}`],
  ['`through` of what is done', number(LIMITS.done)],
  ['`notices` of what is done', number(LIMITS.dismissed)],
  ['`wait`', `${range(WAIT)} seconds, default ${WAIT.default}`],
  ['Requests of an actor that wait at a time, on one server', number(LIMITS.waits)],
  ['Notices of one kind of an actor', number(LIMITS.notices)],
  ['`max_events` of activity, per participant', page(PAGES.activity)],
  ['`buckets` of activity', oneTo(LIMITS.activityBuckets)],
  ['`budget` of a context, in tokens', page(CONTEXT_BUDGET)],
]

const reference = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8')
const rows = [...reference.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, names = '', limits = '']) => ({
  names,
  limits,
}))

it.each(ROWS)('the limit of %s is documented: %s', (name, limit) => {
  const documented = rows.filter(({ names }) => names.includes(name)).map(({ limits }) => limits)
  expect(documented.join('\n')).toMatch(new RegExp(`(?<![\\d,])${limit}(?![\\d,]*\\d)`))
})
