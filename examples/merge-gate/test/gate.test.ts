import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Actor, eventually, useProgram } from '@collab-spaces/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const GATE = join(import.meta.dirname, '../gate.mjs')
const event = (name: string) => join(import.meta.dirname, 'events', name)
const MERGE = { repository: 'acme/shop', head_sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821' }

describe('the merge gate', () => {
  const server = useProgram({ SERVER_KEY: '5a'.repeat(32), REGISTRATION_LIMIT: '0' })
  let directory: string
  let ada: Actor
  let bob: Actor
  let scout: Actor
  let key: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'merge-gate-'))
    ;[ada, bob] = [await server.registerHuman('Ada'), await server.registerHuman('Bob')]
    scout = await server.registerAgent(ada, 'Scout')
    key = (await server.get('/log/keys')).text.trim()
  })

  afterAll(() => rm(directory, { recursive: true, force: true }))

  /** Opens a space that requires the approval of another human. */
  async function space(): Promise<string> {
    const path = await server.openSpace(ada)
    await server
      .as(ada)
      .put(`${path}/policy`, { settle: { approvals: 1, independent: true } })
      .expect(200)
    return path
  }

  async function propose(path: string, extra: object = {}, args: object = MERGE): Promise<string> {
    const action = { type: 'github.merge', arguments: args, editable: true }
    const proposal = { proposed_by: 'Scout', text: 'Merge #7', action, ...extra }
    const { decision_id } = await server.as(scout).post(`${path}/decisions`, proposal).expect(200)
    return `${path}/decisions/${decision_id}`
  }

  async function resolve(decision: string, extra: object = {}): Promise<void> {
    await server.as(bob).post(`${decision}/reviews`, { verdict: 'approve' }).expect(200)
    const settlement = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved', ...extra }
    await server.as(ada).put(`${decision}/resolve`, settlement).expect(200)
  }

  /** Waits until all acts of a decision are sealed. Returns its receipt. */
  async function sealed(decision: string): Promise<string> {
    const [, path, id] = /^(.*)\/decisions\/(.*)$/.exec(decision) as unknown as [string, string, string]
    const acts = (await server.as(ada).get(`${decision}/acts`).expect(200)).length
    return eventually(async () => {
      const { status, body, text } = await server.as(ada).get(`${path}/log/proof?decision_id=${id}`)
      return status === 200 && body.entries.length === acts ? text : undefined
    })
  }

  interface Outcome {
    readonly code: number
    readonly stdout: string
    readonly stderr: string
  }

  const gate = (path: string, env: object = {}): Promise<Outcome> =>
    new Promise((resolve) => {
      const settings = {
        GITHUB_EVENT_PATH: event('pull_request.json'),
        SPACES_URL: server.url,
        SPACES_SPACE: path.split('/').at(-1),
        SPACES_TOKEN: ada.api_key,
        SPACES_KEY: key,
        ...env,
      } as NodeJS.ProcessEnv
      execFile(process.execPath, [GATE], { env: settings }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      )
    })

  const refused = async (outcome: Promise<Outcome>, reason: string) => {
    const { code, stdout, stderr } = await outcome
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`Not authorized: ${reason}`)
  }

  it('passes once the decision is resolved, and prints the requester, the approvers and the rule', async () => {
    const path = await space()
    await refused(gate(path), 'no resolved decision is about acme/shop at ec26c3e5')
    const decision = await propose(path)
    await refused(gate(path), 'no resolved decision')
    await resolve(decision)
    await sealed(decision)
    const summary = join(directory, 'summary.md')
    const { code, stdout } = await gate(path, { GITHUB_STEP_SUMMARY: summary })
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toEqual([
      `Requested-by: ${scout.actor_id} (agent of ${ada.actor_id})`,
      `Approved-by: ${bob.actor_id}`,
      `Approved-by: ${ada.actor_id}`,
    ])
    const written = await readFile(summary, 'utf8')
    expect(written).toContain('Merge of acme/shop at `ec26c3e57ca3a959ca5aad62de7213c562f8c821` is authorized')
    expect(written).toContain('1 of 1 approvals by different humans that the space required; anyone may settle')
  })

  it('verifies a receipt without a server, with only the pinned key', async () => {
    const path = await space()
    const decision = await propose(path)
    await resolve(decision)
    const receipt = await sealed(decision)
    const file = join(directory, 'receipt.json')
    const offline = { SPACES_RECEIPT: file, SPACES_URL: '', SPACES_TOKEN: '' }
    await writeFile(file, `${receipt}\n`)
    expect((await gate(path, offline)).code).toBe(0)
    await writeFile(file, receipt.replace('Merge #7', 'Merge #8'))
    await refused(gate(path, offline), 'it was changed')
    await writeFile(file, receipt)
    const other = 'collaboration-spaces+08d031b0+AZWyJKh4mhXpzpXfE0UxTjWXlrvSPyL3N+AlftlnDG2E'
    await refused(gate(path, { ...offline, SPACES_KEY: other.replace('+AZ', '+Aa') }), 'the pinned key is none')
    await refused(gate('elsewhere', offline), 'it is of another log')
    await refused(gate(path, { ...offline, GITHUB_EVENT_PATH: event('push.json') }), 'the event is of no pull request')
  })

  it.each<[string, object, object, string]>([
    ['edited', {}, { arguments: { ...MERGE, head_sha: '0'.repeat(40) } }, 'the approved action was edited'],
    [
      'answered with an option that denies',
      { options: ['yes', 'no'].map((id) => ({ id, label: id, denies: id === 'no' })) },
      { option: 'no' },
      'the chosen option denies the merge',
    ],
  ])('refuses a decision that was %s', async (_, extra, choice, reason) => {
    const path = await space()
    const decision = await propose(path, extra)
    await resolve(decision, choice)
    await sealed(decision)
    await refused(gate(path), reason)
  })

  it('refuses a decision about another commit, and one that was rejected', async () => {
    const path = await space()
    const other = await propose(path, {}, { ...MERGE, head_sha: '0'.repeat(40) })
    await resolve(other)
    const rejected = await propose(path)
    await resolve(rejected, { status: 'rejected' })
    const receipts = [await sealed(other), await sealed(rejected)]
    await refused(gate(path), 'no resolved decision')
    const reasons = ['the decision is about another merge', 'the decision is not resolved']
    for (const [n, receipt] of receipts.entries()) {
      const file = join(directory, `receipt-${n}.json`)
      await writeFile(file, receipt)
      await refused(gate(path, { SPACES_RECEIPT: file }), reasons[n] as string)
    }
  })
})
