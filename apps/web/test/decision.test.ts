import { readFile } from 'node:fs/promises'
import { type Actor, query, useProgram } from '@collab-spaces/testing'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a decision', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let spaceId: string
  let ada: Actor
  let grace: Actor
  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
    grace = await server.registerHuman('Grace')
    spaceId = `plans-${ada.actor_id}`
    await server.as(ada).post('/api/spaces', { space_id: spaceId }).expect(200)
    for (const actor of [ada, grace]) await server.as(actor).post(`/api/spaces/${spaceId}/join`).expect(200)
  })

  const comeIn = (actor: Actor) => browser.comeIn(actor, `/s/${spaceId}/decisions`)

  it('is proposed, approved and resolved, as its receipt shows', async () => {
    const settle = { approvals: 1, independent: true }
    await server.as(ada).put(`/api/spaces/${spaceId}/policy`, { settle }).expect(200)

    const one = await comeIn(ada)
    await one.page.getByRole('button', { name: 'Propose' }).first().click()
    await one.page.getByLabel('What should be decided?').fill('Take the **7:12**')
    await one.page.getByRole('checkbox', { name: 'Grace' }).check()
    await one.page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click()
    await one.page.getByText('It needs 1 more approval before it can be resolved.').waitFor()
    expect(await one.page.getByRole('button', { name: 'Resolve' }).isDisabled()).toBe(true)

    const other = await comeIn(grace)
    await other.page
      .getByRole('region', { name: 'Proposed' })
      .getByRole('link', { name: /Waiting for you/ })
      .click()
    await other.page.getByRole('button', { name: 'Approve' }).click()
    await other.page.getByLabel('Note for participants').fill('It is earlier.')
    await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await other.page.getByRole('button', { name: 'Withdraw approval' }).waitFor()
    await other.page.getByRole('button', { name: 'Resolve' }).click()
    await other.page.getByRole('textbox', { name: 'Reason' }).fill('We arrive an hour before the others.')
    await other.page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await other.page
      .getByRole('region', { name: 'Resolved' })
      .getByRole('link', { name: /Take the/ })
      .waitFor()
    // Paper does not unfold.
    await other.page.emulateMedia({ media: 'print' })
    await other.page.getByText('Grace approved it').waitFor()
    await other.page.emulateMedia({ media: 'screen' })
    await other.page.getByText('Grace approved it').waitFor({ state: 'hidden' })
    await other.page.getByText(/^Proposed by Ada, approved by Grace/).click()
    await other.page.getByText('Resolving one needs 1 independent approval.', { exact: false }).last().waitFor()

    await one.page.reload()
    const panel = one.page.getByRole('complementary')
    await panel.getByText('Proposed by Ada, approved by Grace, resolved by Grace').click()
    for (const act of ['Ada proposed it', 'Grace approved it', 'Grace resolved it']) {
      await panel.getByText(act).waitFor()
    }
    const saved = one.page.waitForEvent('download')
    await one.page.getByRole('button', { name: 'Download receipt' }).click()
    const receipt = JSON.parse(await readFile(await (await saved).path(), 'utf8'))
    expect(receipt.decision).toMatchObject({
      text: 'Take the **7:12**',
      status: 'resolved',
      settled_by: grace.actor_id,
    })
    expect(receipt.acts.map(({ kind, actor_id }: Record<string, string>) => [kind, actor_id])).toEqual([
      ['proposed', ada.actor_id],
      ['reviewed', grace.actor_id],
      ['settled', grace.actor_id],
    ])
  })

  it('shows which approvals count, and why the rest does not', async () => {
    await server
      .as(ada)
      .put(`/api/spaces/${spaceId}/policy`, { settle: { approvals: 2 } })
      .expect(200)
    const proposal = { proposed_by: ada.actor_id, text: 'Sail' }
    const { decision_id } = await server.as(ada).post(`/api/spaces/${spaceId}/decisions`, proposal).expect(200)
    for (const actor of [ada, grace]) {
      await server
        .as(actor)
        .post(`/api/spaces/${spaceId}/decisions/${decision_id}/reviews`, { verdict: 'approve' })
        .expect(200)
    }
    const { page } = await comeIn(grace)
    await page.getByRole('link', { name: /Sail/ }).click()
    const panel = page.getByRole('complementary')
    await panel.getByText('1 of 2 approvals: Grace').waitFor()
    await panel.getByText('Ada (on the proposer’s side)').waitFor()
  })

  it('has its actions in one row on a wide screen', async () => {
    const proposal = { proposed_by: grace.actor_id, text: 'Sail' }
    const { decision_id } = await server.as(grace).post(`/api/spaces/${spaceId}/decisions`, proposal).expect(200)
    await server
      .as(ada)
      .post(`/api/spaces/${spaceId}/decisions/${decision_id}/reviews`, { verdict: 'approve' })
      .expect(200)
    const reader = await browser.comeIn(ada, `/s/${spaceId}/decisions/${decision_id}`, {
      viewport: { width: 1440, height: 900 },
    })
    const panel = reader.page.getByRole('complementary')
    const tops = await Promise.all(
      ['Withdraw approval', 'Reject', 'Resolve'].map(async (name) => {
        const box = await panel.getByRole('button', { name }).boundingBox()
        return Math.round(box?.y ?? 0)
      }),
    )
    expect(new Set(tops).size).toBe(1)
  })

  it('has rules that only owners change, and a public record of changes', async () => {
    await server
      .as(ada)
      .put(`/api/spaces/${spaceId}/policy`, { settle: { approvals: 1 } })
      .expect(200)
    const other = await comeIn(grace)
    await other.page.getByText('Owned by Ada.', { exact: false }).waitFor()
    expect(await other.page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(0)
    await other.page.getByRole('button', { name: 'History' }).click()
    await other.page.getByRole('dialog').getByText('Before: Anyone here can settle decisions. No approval').waitFor()
    await other.page.getByRole('dialog').getByText('After: Anyone here can settle decisions. Resolving one').waitFor()

    const { page } = await comeIn(ada)
    await page.getByRole('button', { name: 'Change', exact: true }).waitFor()
  })

  it('is rejected with a reason, which remains visible', async () => {
    await server
      .as(grace)
      .post(`/api/spaces/${spaceId}/decisions`, { proposed_by: grace.actor_id, text: 'Fly' })
      .expect(200)
    const { page } = await comeIn(ada)
    await page.getByRole('link', { name: /Fly/ }).click()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('It is not far.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    const card = page.getByRole('region', { name: 'Rejected' }).getByRole('link', { name: /Fly/ })
    await card.getByText('It is not far.').waitFor()
    await card.getByText('Rejected by Ada').waitFor()
  })

  it('offers its options and its action, which is edited, approved and used', async () => {
    const action = { type: 'deploy', arguments: { service: 'shop', version: 82 }, editable: true }
    const options = [
      { id: 'go', label: 'Deploy', description: 'To all customers' },
      { id: 'no', label: 'Wait', denies: true },
    ]
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const proposal = { proposed_by: grace.actor_id, text: 'Deploy?', action, options, expires_at }
    const decisions = `/api/spaces/${spaceId}/decisions`
    const { decision_id } = await server.as(grace).post(decisions, proposal).expect(200)
    const path = `${decisions}/${decision_id}`

    const { page } = await browser.comeIn(ada, `/s/${spaceId}/decisions/${decision_id}`)
    // A phone.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('row', { name: 'version 82' }).waitFor()
    for (const text of ['To all customers', 'This answer permits nothing.', 'Expires']) {
      await page.getByText(text, { exact: true }).waitFor()
    }
    expect(await page.getByRole('button', { name: 'Resolve' }).count()).toBe(0)
    const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
    expect(await page.evaluate(isTooWide)).toBe(false)
    // By the keyboard alone.
    await page.getByRole('button', { name: 'Deploy' }).press('Enter')
    await page.getByRole('textbox', { name: 'Reason' }).pressSequentially('One at a time.')
    const field = page.getByRole('textbox', { name: 'Arguments of the action' })
    await field.fill('{"service": "shop", "version": 81')
    await page.getByText('This is not a JSON object', { exact: false }).waitFor()
    const submit = page.getByRole('dialog').getByRole('button', { name: 'Deploy' })
    expect(await submit.isDisabled()).toBe(true)
    await field.fill('{"service": "shop", "version": 81}')
    await submit.press('Enter')
    await page.getByRole('row', { name: 'version 82 81' }).waitFor()
    await page.getByRole('table', { name: 'Arguments, as edited' }).waitFor()
    const { edit, option } = await server.as(ada).get(path).expect(200)
    expect([option, edit.arguments]).toEqual(['go', { service: 'shop', version: 81 }])

    await server.as(grace).post(`${path}/use`, { digest: edit.digest }).expect(200)
    await page.reload()
    await page.getByText('Used by', { exact: true }).waitFor()
    await page.getByText(/^Proposed by /).click()
    await page.getByText('Grace used its action').waitFor()
    await page.getByText('As JSON').click()
    await page.getByText(edit.digest).first().waitFor()
    expect(await page.evaluate(isTooWide)).toBe(false)
  })

  it('that has expired can only be rejected', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const proposal = { proposed_by: grace.actor_id, text: 'Sail', expires_at }
    const { decision_id } = await server.as(grace).post(`/api/spaces/${spaceId}/decisions`, proposal).expect(200)
    await query(server.connection, 'UPDATE decisions SET expires_at = now() WHERE decision_id = $1', [decision_id])
    const { page } = await comeIn(ada)
    await page.getByRole('link', { name: /Sail.*Expired/ }).click()
    await page.getByText('It has expired: it can only be rejected.').waitFor()
    expect(await page.getByRole('button', { name: 'Resolve' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Reject' }).isEnabled()).toBe(true)
  })

  it('is superseded by another one', async () => {
    const propose = { proposed_by: ada.actor_id, text: 'The red one' }
    const first = await server.as(ada).post(`/api/spaces/${spaceId}/decisions`, propose).expect(200)
    const path = `/api/spaces/${spaceId}/decisions/${first.decision_id}/resolve`
    const settled = { resolved_by: ada.actor_id, resolution: 'It is nicer', status: 'resolved' }
    await server.as(ada).put(path, settled).expect(200)

    const { page } = await comeIn(ada)
    await page.getByRole('link', { name: /The red one/ }).click()
    await page.getByRole('button', { name: 'Propose a replacement' }).click()
    await page.getByLabel('What should be decided?').fill('The blue one')
    await page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('There are no red ones.')
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await page
      .getByRole('region', { name: 'Resolved' })
      .getByRole('link', { name: /The red one.*Superseded/ })
      .click()
    await page.getByRole('complementary').getByRole('link', { name: 'The blue one' }).waitFor()
  })

  it('is settled only by actors that the policy names', async () => {
    const { page } = await comeIn(ada)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Who settles decisions?').selectOption('Only the people and agents selected here')
    await page.getByRole('checkbox', { name: 'Grace' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Decisions are settled by Grace.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('p')
    await page.getByLabel('What should be decided?').fill('Go')
    await page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click()
    await page.getByText('You are not allowed to settle decisions here.').waitFor()
    expect(await page.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true)
  })
})
