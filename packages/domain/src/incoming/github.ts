import { shorten } from '../cut.js'
import { type IncomingMessage, type IncomingRequest, type StatedOrder, valueAt } from '../incoming-webhook.js'
import type { JsonObject } from '../json.js'
import { LIMITS } from '../limits.js'
import { parseTimestamp } from '../time.js'
import { listAt, loginsIn, objectAt, paragraphs, plain, quoted, textAt } from './field.js'
import { link } from './mrkdwn.js'

/** How many commits of a push are listed. */
const MAX_COMMITS = 10

type Render = (body: JsonObject, action: string) => IncomingMessage | null

/** A request of GitHub. Nothing is posted of events, or actions of them, that are not listed here. */
export function fromGithub(event: string, body: JsonObject): IncomingRequest {
  const action = textAt(body, 'action')
  const render = Object.hasOwn(EVENTS, event) ? EVENTS[event as keyof typeof EVENTS] : null
  const message = render?.(body, action) ?? null
  return { kind: action === '' ? event : `${event}.${action}`, message }
}

const EVENTS = {
  push,
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: (body, action) => (action === 'created' ? comment(body, 'pull_request') : null),
  issues: issue,
  issue_comment: (body, action) => (action === 'created' ? comment(body, 'issue') : null),
  commit_comment: (body, action) => (action === 'created' ? commitComment(body) : null),
  check_run: (body, action) => (action === 'completed' ? run(body, 'check_run', 'Check') : null),
  workflow_run: (body, action) => (action === 'completed' ? run(body, 'workflow_run', 'Workflow') : null),
  release: (body, action) => (action === 'published' ? release(body) : null),
  deployment: (body, action) => (action === 'created' ? deployment(body) : null),
  deployment_status: (body, action) => (action === 'created' ? deploymentStatus(body) : null),
} satisfies Record<string, Render>

const sender = (body: JsonObject) => `**${plain(textAt(body, 'sender', 'login')) || 'GitHub'}**`
const repository = (body: JsonObject) =>
  link(plain(textAt(body, 'repository', 'full_name')), textAt(body, 'repository', 'html_url'))
const code = (text: string) => `\`${text.replaceAll('`', '')}\``
const shortHash = (hash: string) => code(hash.substring(0, 7))

type NumberedKind = 'pull_request' | 'issue'

const urlOf = (body: JsonObject, kind: NumberedKind) => textAt(body, kind, 'html_url')
const titleOf = (body: JsonObject, kind: NumberedKind) =>
  `#${textAt(body, kind, 'number')} ${textAt(body, kind, 'title')}`.trim()
const linked = (body: JsonObject, kind: NumberedKind) => link(plain(titleOf(body, kind)), urlOf(body, kind))

/** Issues and pull requests of a repository share their numbers. */
const keyOf = (body: JsonObject, number: string) => `${textAt(body, 'repository', 'full_name')}#${number}`

function threadOf(body: JsonObject, kind: NumberedKind) {
  const subject = shorten(titleOf(body, kind).replace(/\s+/g, ' '), LIMITS.subject)
  return { key: keyOf(body, textAt(body, kind, 'number')), subject }
}

/** What happened to an issue or a pull request. */
interface Report {
  readonly head: string
  /** Written by a person, who may mention others. */
  readonly text?: string
  readonly url?: string
  readonly logins?: readonly string[]
}

/** A message about an issue or a pull request, in its thread. */
function about(body: JsonObject, kind: NumberedKind, report: Report): IncomingMessage {
  const { head, text = '', url = urlOf(body, kind), logins = loginsIn(text) } = report
  const message = paragraphs(head, text.trim() === '' ? '' : quoted(text))
  return { ...standing(message, url, logins), thread: threadOf(body, kind) }
}

const standing = (text: string, url: string, logins: readonly string[] = []): IncomingMessage => ({
  text,
  ...(url !== '' && { references: [url] }),
  ...(logins.length > 0 && { logins }),
})

function push(body: JsonObject): IncomingMessage | null {
  const ref = textAt(body, 'ref')
  const name = code(ref.replace(/^refs\/(?:heads|tags)\//, ''))
  const what = ref.startsWith('refs/tags/') ? 'tag' : 'branch'
  const where = `${name} of ${repository(body)}`
  if (body.deleted === true) return standing(`${sender(body)} deleted the ${what} ${where}`, '')
  const commits = listAt(body, 'commits')
  const compare = textAt(body, 'compare')
  if (commits.length === 0) {
    return body.created === true ? standing(`${sender(body)} created the ${what} ${where}`, compare) : null
  }
  const count = commits.length === 1 ? '1 commit' : `${commits.length} commits`
  const head = `${sender(body)} ${body.forced === true ? 'force-pushed' : 'pushed'} ${link(count, compare)} to ${where}`
  const lines = commits.slice(0, MAX_COMMITS).map((commit) => {
    const [subject = ''] = textAt(commit, 'message').split('\n')
    return `- ${link(shortHash(textAt(commit, 'id')), textAt(commit, 'url'))} ${plain(subject)}`
  })
  const more = commits.length > MAX_COMMITS ? `- and ${commits.length - MAX_COMMITS} more` : ''
  return standing(paragraphs(head, [...lines, more].filter(Boolean).join('\n')), compare)
}

const PULL_REQUEST_VERBS: Readonly<Record<string, string>> = {
  opened: 'opened',
  reopened: 'reopened',
  ready_for_review: 'marked as ready for review',
  converted_to_draft: 'converted to a draft',
}

function pullRequest(body: JsonObject, action: string): IncomingMessage | null {
  const isMerged = objectAt(body, 'pull_request')?.merged === true
  const verb = action === 'closed' ? (isMerged ? 'merged' : 'closed') : PULL_REQUEST_VERBS[action]
  if (verb === undefined) return asked(body, 'pull_request', action)
  const head = `${sender(body)} ${verb} the pull request ${linked(body, 'pull_request')} in ${repository(body)}`
  return about(body, 'pull_request', { head, text: action === 'opened' ? textAt(body, 'pull_request', 'body') : '' })
}

/** An issue or a pull request that is assigned to a person, or whose review is requested of one. */
function asked(body: JsonObject, kind: NumberedKind, action: string): IncomingMessage | null {
  const isReview = action === 'review_requested'
  const login = textAt(body, isReview ? 'requested_reviewer' : 'assignee', 'login')
  if ((!isReview && action !== 'assigned') || login === '') return null
  const verb = isReview ? 'requested a review of' : 'assigned'
  const head = `${sender(body)} ${verb} ${linked(body, kind)} ${isReview ? 'from' : 'to'} **${plain(login)}**`
  return about(body, kind, { head, logins: [login] })
}

const REVIEW_VERBS: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'requested changes to',
  commented: 'commented on',
}

function review(body: JsonObject, action: string): IncomingMessage | null {
  const state = textAt(body, 'review', 'state').toLowerCase()
  const text = textAt(body, 'review', 'body')
  const verb = action === 'dismissed' ? 'dismissed a review of' : REVIEW_VERBS[state]
  // A comment on a line comes with a review of its own, which says nothing.
  if (
    verb === undefined ||
    !['submitted', 'dismissed'].includes(action) ||
    (state === 'commented' && text.trim() === '')
  ) {
    return null
  }
  const head = `${sender(body)} ${verb} ${linked(body, 'pull_request')}`
  return about(body, 'pull_request', { head, text, url: textAt(body, 'review', 'html_url') })
}

const ISSUE_VERBS = ['opened', 'closed', 'reopened']

function issue(body: JsonObject, action: string): IncomingMessage | null {
  if (!ISSUE_VERBS.includes(action)) return asked(body, 'issue', action)
  const head = `${sender(body)} ${action} the issue ${linked(body, 'issue')} in ${repository(body)}`
  return about(body, 'issue', { head, text: action === 'opened' ? textAt(body, 'issue', 'body') : '' })
}

function comment(body: JsonObject, kind: NumberedKind): IncomingMessage {
  const url = textAt(body, 'comment', 'html_url')
  const path = textAt(body, 'comment', 'path')
  const head = `${sender(body)} ${link('commented', url)} on ${linked(body, kind)}${path && `, ${code(path)}`}`
  return about(body, kind, { head, text: textAt(body, 'comment', 'body'), url })
}

const quotedAt = (body: JsonObject, ...path: string[]) => {
  const text = textAt(body, ...path)
  return text.trim() === '' ? '' : quoted(text)
}

function commitComment(body: JsonObject): IncomingMessage {
  const url = textAt(body, 'comment', 'html_url')
  const commit = shortHash(textAt(body, 'comment', 'commit_id'))
  const head = `${sender(body)} ${link('commented', url)} on ${commit} of ${repository(body)}`
  const logins = loginsIn(textAt(body, 'comment', 'body'))
  return standing(paragraphs(head, quotedAt(body, 'comment', 'body')), url, logins)
}

/**
 * A check or a workflow that has ended: in the thread of its pull request, if it has one. When it runs again for the same
 * commit, the message is corrected. It is told from others with its name by the suite or workflow run, which stays.
 */
function run(body: JsonObject, kind: 'check_run' | 'workflow_run', noun: string): IncomingMessage {
  const url = textAt(body, kind, 'html_url')
  const name = textAt(body, kind, 'name')
  const head = textAt(body, kind, 'head_sha')
  const branch = textAt(body, kind, 'head_branch') || textAt(body, kind, 'check_suite', 'head_branch')
  const conclusion = textAt(body, kind, 'conclusion').replaceAll('_', ' ')
  const place = [shortHash(head), branch && code(branch)].filter(Boolean).join(' on ')
  const text = `${noun} ${link(plain(name), url)}: **${plain(conclusion)}** for ${place} of ${repository(body)}`
  const number = textAt(listAt(body, kind, 'pull_requests')[0], 'number')
  const whole = kind === 'check_run' ? textAt(body, kind, 'check_suite', 'id') : textAt(body, kind, 'id')
  return {
    ...standing(text, url),
    ...(number !== '' && { thread: { key: keyOf(body, number), subject: `#${number}` } }),
    ...(head !== '' && {
      correction: {
        key: [textAt(body, 'repository', 'full_name'), head, branch, kind, name, whole].join('\n'),
        order: orderOf(body, kind),
      },
    }),
  }
}

/** GitHub does not deliver in order. A run that is repeated has a later time, and another id or number of the attempt. */
function orderOf(body: JsonObject, kind: 'check_run' | 'workflow_run'): StatedOrder | null {
  const ended = parseTimestamp(textAt(body, kind, kind === 'check_run' ? 'completed_at' : 'updated_at'))
  const sequence = [valueAt(body, [kind, 'id']), valueAt(body, [kind, 'run_attempt'])].filter(Number.isSafeInteger)
  return ended && { at: ended.toISOString(), sequence: sequence as number[] }
}

function release(body: JsonObject): IncomingMessage {
  const url = textAt(body, 'release', 'html_url')
  const name = plain(textAt(body, 'release', 'name') || textAt(body, 'release', 'tag_name'))
  const head = `${sender(body)} released ${link(name, url)} of ${repository(body)}`
  return standing(paragraphs(head, quotedAt(body, 'release', 'body')), url)
}

const deploymentOf = (body: JsonObject) =>
  `${code(textAt(body, 'deployment', 'ref'))} of ${repository(body)} to **${plain(textAt(body, 'deployment', 'environment'))}**`

const deployment = (body: JsonObject): IncomingMessage => standing(`${sender(body)} deploys ${deploymentOf(body)}`, '')

function deploymentStatus(body: JsonObject): IncomingMessage {
  const url = ['log_url', 'environment_url', 'target_url'].map((name) => textAt(body, 'deployment_status', name))
  const [first = ''] = url.filter(Boolean)
  const state = plain(textAt(body, 'deployment_status', 'state').replaceAll('_', ' '))
  const description = plain(textAt(body, 'deployment_status', 'description'))
  const text = `Deployment of ${deploymentOf(body)}: ${link(`**${state}**`, first)}${description && `, ${description}`}`
  return standing(text, first)
}
