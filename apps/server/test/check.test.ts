import { type Actor, query } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'

const h = useServer()
const operator = operatorOf(h)

let ada: Actor
let scout: Actor
let space: string
let decision_id: string

const settlement = { resolved_by: 'the board', resolution: 'So be it', status: 'resolved' }

/** Creates a space with decisions in every state, and inboxes. */
beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  scout = await h.registerAgent(ada, 'Scout')
  const path = await h.openSpace(ada)
  space = path.split('/').at(-1) as string
  for (const text of ['One, @Scout', 'Two, @Scout', 'Three']) {
    await h
      .as(ada)
      .post(`${path}/speech`, { text, metadata: text === 'Three' ? {} : { mentions: [scout.actor_id] } })
      .expect(200)
  }
  const inbox = await h.as(scout).get('/api/actors/me/inbox').expect(200)
  await h.as(scout).post('/api/actors/me/inbox/done', inbox.done).expect(200)
  const webhook = { url: 'https://127.0.0.1:9/', space_id: space }
  const { webhook_id } = await h.as(ada).post('/api/webhooks', webhook).expect(200)
  // Disabled, so that its cursor does not move.
  await h.as(ada).patch(`/api/webhooks/${webhook_id}`, { disabled: true }).expect(200)
  const propose = async (body: object = {}) =>
    (
      await h
        .as(scout)
        .post(`${path}/decisions`, { text: 'Go', proposed_by: 'Scout', ...body })
        .expect(200)
    ).decision_id
  decision_id = await propose({ assignees: [ada.actor_id], review_at: '2030-01-01' })
  for (const verdict of ['approve', 'reject', 'approve']) {
    await h.as(ada).post(`${path}/decisions/${decision_id}/reviews`, { verdict, note: 'Said "so"\n' }).expect(200)
  }
  await h.as(ada).put(`${path}/decisions/${decision_id}/resolve`, settlement).expect(200)
  const successor = await propose({ supersedes: decision_id, text: 'Stay' })
  await h.as(ada).put(`${path}/decisions/${successor}/resolve`, settlement).expect(200)
  await propose({ text: 'Wait' })
  await h
    .as(ada)
    .put(`${path}/policy`, { settle: { who: 'named', named: [ada.actor_id], approvals: 1 }, loop_guard: { total: 9 } })
    .expect(200)
})

const problems = async (): Promise<string[]> => {
  const [json = ''] = await operator('check', '--json')
  const found: { space_id: string; problem: string }[] = JSON.parse(json).problems
  // The tree also reports a changed sealed row (log-tampering.test.ts).
  return found
    .filter(({ problem }) => !problem.includes(' as sealed: '))
    .map(({ space_id, problem }) => {
      expect(space_id).toBe(space)
      return problem
    })
}

describe('operate check', () => {
  it('finds no problem in what a server has written', async () => {
    expect(await problems()).toEqual([])
    expect(await operator('check')).toEqual([
      expect.stringMatching(
        /^Checked 3 events and 10 acts in 1 space, \d+ sealed entr(y|ies), \d+ contents? of files, and \d+ kinds of reference: all is well\.$/,
      ),
    ])
  })

  const acts = 'UPDATE decision_acts SET wire ='
  it.each<[what: string, broken: string, mended: string, found: RegExp[]]>([
    [
      'a reaction to a missing event',
      `INSERT INTO reactions SELECT tenant_id, space_id, 99, '👍', posted_by, now() FROM events WHERE position = 1`,
      'DELETE FROM reactions',
      [/^there is a reaction to event 99, which is missing or redacted$/],
    ],
    [
      'a missing act',
      'CREATE TABLE kept AS SELECT * FROM decision_acts WHERE position = 3; DELETE FROM decision_acts WHERE position = 3',
      'INSERT INTO decision_acts SELECT * FROM kept; DROP TABLE kept',
      [/^act 3 is missing$/],
    ],
    [
      'a missing settlement with all later acts',
      'CREATE TABLE kept AS SELECT * FROM decision_acts WHERE position >= 7; DELETE FROM decision_acts WHERE position >= 7',
      'INSERT INTO decision_acts SELECT * FROM kept; DROP TABLE kept',
      [/superseded_by differs from what the acts tell$/, /status differs from what the acts tell$/],
    ],
    [
      'the loss of all acts',
      'CREATE TABLE kept AS SELECT * FROM decision_acts; DELETE FROM decision_acts',
      'INSERT INTO decision_acts SELECT * FROM kept; DROP TABLE kept',
      [/approved_by differs from what the acts tell$/, /superseded_by differs/, /status differs/, /status differs/],
    ],
    [
      'a changed act',
      `${acts} replace(wire, 'So be it', 'Never') WHERE position = 5`,
      `${acts} replace(wire, 'Never', 'So be it') WHERE position = 5`,
      [/^decision \S+: resolution differs from what the acts tell$/],
    ],
    [
      'an act that is not JSON',
      `${acts} '!' || wire WHERE position = 2`,
      `${acts} substr(wire, 2) WHERE position = 2`,
      [/^decision \S+: act 2 cannot be read: it is not JSON$/],
    ],
    [
      'an act with another actor',
      `${acts} replace(wire, 'settled","actor_id":"usr_', 'settled","actor_id":"svc_') WHERE position = 5`,
      `${acts} replace(wire, 'settled","actor_id":"svc_', 'settled","actor_id":"usr_') WHERE position = 5`,
      [/^decision \S+: act 5 cannot be read: actor_id differs from the column$/, /settled_by differs/],
    ],
    [
      'a decision with a changed text',
      "UPDATE decisions SET text = 'Come' WHERE text = 'Go'",
      "UPDATE decisions SET text = 'Go' WHERE text = 'Come'",
      [/^decision \S+: text differs from what the acts tell$/],
    ],
    [
      'a decision that was settled without an act',
      "UPDATE decisions SET status = 'rejected', required_approvals = 0 WHERE text = 'Wait'",
      "UPDATE decisions SET status = 'proposed', required_approvals = NULL WHERE text = 'Wait'",
      [/^decision \S+: status differs from what the acts tell$/],
    ],
    [
      'changed reasons why approvals of a settled decision do not count',
      "UPDATE decisions SET approvals_not_counted = '[]' WHERE text = 'Go'",
      `UPDATE decisions d SET approvals_not_counted = a.wire::jsonb #> '{approvals,not_counted}' FROM decision_acts a
       WHERE d.text = 'Go' AND a.decision_id = d.decision_id AND a.wire::json ->> 'kind' = 'settled'`,
      [/^decision \S+: approvals_not_counted differs from what the acts tell$/],
    ],
    [
      'changed rules of a proposal',
      `UPDATE decisions SET rules_at_proposal = rules_at_proposal || '{"independent": true}' WHERE text = 'Wait'`,
      `UPDATE decisions d SET rules_at_proposal = a.wire::jsonb -> 'rules' FROM decision_acts a
       WHERE d.text = 'Wait' AND a.decision_id = d.decision_id AND a.wire::json ->> 'kind' = 'proposed'`,
      [/^decision \S+: rules_at_proposal differs from what the acts tell$/],
    ],
    [
      'a space policy that was changed without an act',
      'UPDATE space_policies SET approvals = 0',
      'UPDATE space_policies SET approvals = 1',
      [/^its policy differs from what the acts tell$/],
    ],
    [
      'a change of policy with another actor',
      `${acts} replace(wire, 'usr_', 'svc_') WHERE decision_id IS NULL`,
      `${acts} replace(wire, 'svc_', 'usr_') WHERE decision_id IS NULL`,
      [/^act 10 cannot be read: actor_id differs from the column$/, /^its policy differs/],
    ],
    [
      'an approval without an act',
      "UPDATE decisions SET approved_by = ARRAY[posted_by] WHERE text = 'Wait'",
      "UPDATE decisions SET approved_by = '{}' WHERE text = 'Wait'",
      [/^decision \S+: approved_by differs from what the acts tell$/],
    ],
    [
      'a head beyond the events of an inbox',
      'UPDATE attention_heads SET head = 3',
      'UPDATE attention_heads SET head = 2',
      [/^the inbox of agt_\w+ has its head at 3, and the newest event that addresses it is 2$/],
    ],
    [
      'a missing head of an inbox',
      'CREATE TABLE kept AS SELECT * FROM attention_heads; DELETE FROM attention_heads',
      'INSERT INTO attention_heads SELECT * FROM kept; DROP TABLE kept',
      [/^the inbox of agt_\w+ has its head at null, and the newest event that addresses it is 2$/],
    ],
    [
      'an empty inbox with a head',
      'CREATE TABLE kept AS SELECT * FROM attention; DELETE FROM attention',
      'INSERT INTO attention SELECT * FROM kept; DROP TABLE kept',
      [/^the inbox of agt_\w+ has its head at 2, and no event addresses it$/],
    ],
    [
      'the cursor of a webhook beyond the history',
      'UPDATE webhook_cursors SET position = position + 9',
      'UPDATE webhook_cursors SET position = position - 9',
      [/^webhook whk_\w+ is at event 12 of 3 and act 0 of 10$/],
    ],
    [
      'a read cursor beyond the history',
      'UPDATE read_cursors SET done_through = done_through + 9',
      'UPDATE read_cursors SET done_through = done_through - 9',
      [/^agt_\w+ has dealt with events up to 11 and seen those up to 0, and the newest one is 3$/],
    ],
  ])('finds %s', async (_, broken, mended, found) => {
    await query(h.connection, broken)
    const reported = await problems()
    await query(h.connection, mended)
    expect(reported).toEqual(found.map((line) => expect.stringMatching(line)))
    expect(await problems()).toEqual([])
  })

  it('ignores a space that is being deleted', async () => {
    const erasure = `INSERT INTO erasures (tenant_id, space_id, events, requested_by, started_at)
      SELECT tenant_id, space_id, 3, 'Ada', now() FROM spaces`
    await query(
      h.connection,
      `${erasure}; UPDATE attention_heads SET head = 3; DELETE FROM decision_acts WHERE position = 1`,
    )
    expect(await problems()).toEqual([])
  })
})
