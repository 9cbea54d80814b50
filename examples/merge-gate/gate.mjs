// gate.mjs: passes only if a decision of a space authorizes the merge of the commit in GITHUB_EVENT_PATH. Its settings are
// SPACES_URL, SPACES_SPACE, SPACES_TOKEN and SPACES_KEY; with SPACES_RECEIPT, a file, it needs no server and no token.
import { hash } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import { NotProved, provenActs } from './receipt.mjs'

const { env } = process

function setting(name) {
  const value = env[name]
  if (!value) throw new NotProved(`${name} is not set`)
  return value
}

/** Returns the merge that an event of GitHub asks for. */
async function mergeAsked() {
  const { repository, pull_request } = JSON.parse(await readFile(setting('GITHUB_EVENT_PATH'), 'utf8'))
  const head_sha = pull_request?.head?.sha
  if (!repository?.full_name || !head_sha) throw new NotProved('the event is of no pull request')
  return { repository: repository.full_name, head_sha }
}

/** Returns the digest of a merge. Of two strings under these names, JSON is canonical (RFC 8785). */
function digestOf({ repository, head_sha }) {
  const action = { arguments: { head_sha, repository }, type: 'github.merge' }
  return `sha-256:${hash('sha256', JSON.stringify(action), 'hex')}`
}

async function ask(path) {
  const address = new URL(`/api/spaces/${encodeURIComponent(setting('SPACES_SPACE'))}${path}`, setting('SPACES_URL'))
  const answer = await fetch(address, { headers: { authorization: `Bearer ${setting('SPACES_TOKEN')}` } })
  const text = await answer.text()
  if (!answer.ok) throw new NotProved(`the server answered ${answer.status}: ${text.slice(0, 500)}`)
  return text
}

/** Returns the receipts of the resolved decisions about an action, the newest first. */
async function receiptsFor(digest) {
  if (env.SPACES_RECEIPT) return [await readFile(env.SPACES_RECEIPT, 'utf8')]
  const decisions = JSON.parse(await ask('/decisions?status=resolved'))
  const about = decisions.filter(({ action, superseded_by }) => action?.digest === digest && superseded_by === null)
  return Promise.all(about.reverse().map(({ decision_id }) => ask(`/log/proof?decision_id=${decision_id}`)))
}

/** Returns the proposal and the settlement that authorize a merge. Throws a `NotProved` for acts that do not. */
function authorization(acts, merge) {
  const actOf = (kind) => acts.find((act) => act.kind === kind)
  const [proposed, settled] = [actOf('proposed'), actOf('settled')]
  const { type, arguments: sent } = proposed?.action ?? {}
  // What was shown is compared, not only the digest beside it.
  const isSame = Object.keys(sent ?? {}).length === 2 && Object.keys(merge).every((name) => sent[name] === merge[name])
  if (type !== 'github.merge' || !isSame) throw new NotProved('the decision is about another merge')
  if (settled?.status !== 'resolved') throw new NotProved('the decision is not resolved')
  if (settled.edit) throw new NotProved('the approved action was edited')
  if (actOf('superseded')) throw new NotProved('the decision is superseded')
  if (proposed.options && (proposed.options.find(({ id }) => id === settled.option)?.denies ?? true)) {
    throw new NotProved('the chosen option denies the merge')
  }
  if (proposed.expires_at && Date.parse(proposed.expires_at) <= Date.now())
    throw new NotProved('the decision has expired')
  return { proposed, settled }
}

const actorOf = ({ actor_id, sponsor_id }) => (sponsor_id === null ? actor_id : `${actor_id} (agent of ${sponsor_id})`)

/** Returns who approved: those whose approvals counted, and the actor that resolved it. */
function approversOf(acts, settled) {
  const uncounted = new Set(settled.approvals.not_counted.map(({ actor_id }) => actor_id))
  const counted = settled.approvals.by.filter((actor_id) => !uncounted.has(actor_id))
  const reviews = counted.map((id) => acts.find(({ kind, actor_id }) => kind === 'reviewed' && actor_id === id))
  return [...new Set([...reviews, settled].map(actorOf))]
}

function ruleOf({ rules: { who, approvals, independent }, approvals: { given } }) {
  const which = independent ? 'approvals by different humans' : 'approvals'
  return `${given} of ${approvals} ${which} that the space required; ${who} may settle`
}

async function report({ repository, head_sha }, acts, { proposed, settled }) {
  const trailers = [
    `Requested-by: ${actorOf(proposed)}`,
    ...approversOf(acts, settled).map((approver) => `Approved-by: ${approver}`),
  ]
  process.stdout.write(`${trailers.join('\n')}\n`)
  const summary = [
    `### Merge of ${repository} at \`${head_sha}\` is authorized`,
    `Decision \`${proposed.decision_id}\`, resolved at ${settled.created_at}: ${ruleOf(settled)}.`,
    ...trailers.map((trailer) => `- ${trailer}`),
  ]
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${summary.join('\n\n')}\n`)
}

async function pass() {
  const merge = await mergeAsked()
  const reasons = []
  for (const receipt of await receiptsFor(digestOf(merge))) {
    try {
      const acts = provenActs(receipt, setting('SPACES_KEY').trim(), setting('SPACES_SPACE'))
      return await report(merge, acts, authorization(acts, merge))
    } catch (error) {
      if (!(error instanceof NotProved)) throw error
      reasons.push(error.message)
    }
  }
  throw new NotProved(reasons[0] ?? `no resolved decision is about ${merge.repository} at ${merge.head_sha}`)
}

try {
  await pass()
} catch (error) {
  process.stderr.write(`Not authorized: ${error instanceof NotProved ? error.message : error}\n`)
  process.exitCode = 1
}
