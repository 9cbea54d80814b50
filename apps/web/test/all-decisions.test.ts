import { type Actor, useProgram } from '@collab-spaces/testing'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('the decisions of all spaces', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)
  let ada: Actor
  let spaceIds: string[]
  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
    spaceIds = ['plans', 'ideas'].map((name) => `${name}-${ada.actor_id}`)
    for (const space_id of spaceIds) {
      await server.as(ada).post('/api/spaces', { space_id }).expect(200)
      await server.as(ada).post(`/api/spaces/${space_id}/join`).expect(200)
    }
  })

  const propose = async (spaceId: string | undefined, text: string, fields: object = {}): Promise<string> => {
    const proposal = { proposed_by: ada.actor_id, text, ...fields }
    return (await server.as(ada).post(`/api/spaces/${spaceId}/decisions`, proposal).expect(200)).decision_id
  }

  it('are filtered by state and by space', async () => {
    const [plans, ideas] = spaceIds
    const { page } = await browser.comeIn(ada, '/decisions')
    const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
    await page.getByText('Nothing to decide').waitFor()
    await choice('Show').selectOption('In force')
    await page.getByText('Nothing decided yet').waitFor()

    const settled = await propose(plans, 'Take the **7:12**')
    await propose(ideas, 'Sail', { assignees: [ada.actor_id] })
    await propose(plans, 'Walk')
    const outcome = { resolved_by: ada.actor_id, resolution: 'It is early', status: 'resolved' }
    await server.as(ada).put(`/api/spaces/${plans}/decisions/${settled}/resolve`, outcome).expect(200)
    const listed = (name: string) => page.getByRole('list', { name, exact: true }).getByRole('link')
    await listed('In force').getByText('Take the 7:12').waitFor()

    await choice('Show').selectOption('Waiting for anyone')
    await listed('Waiting for anyone').getByText('Walk').waitFor()
    expect(await listed('Waiting for anyone').allTextContents()).toEqual([
      expect.stringMatching(`Walk.*${plans}`),
      expect.stringMatching(`Sail.*${ideas}`),
    ])
    await choice('Show').selectOption('Waiting for you')
    await listed('Waiting for you').getByText('Sail').waitFor()
    await choice('Space').selectOption(String(plans))
    await page.getByText('Nothing waits for you').waitFor()

    await page.reload()
    await page.getByText('Nothing waits for you').waitFor()
    await choice('Space').selectOption('All your spaces')
    await listed('Waiting for you').click()
    await page.waitForURL(`**/s/${ideas}/decisions/*`)
  })
})
