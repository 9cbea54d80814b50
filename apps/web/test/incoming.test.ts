import { type Actor, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { beforeEach, expect, it } from 'vitest'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'

describeInBrowser('incoming webhooks in the page', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0', SERVER_KEY: '5a'.repeat(32) })
  const browser = useBrowser(server)
  let ada: Actor
  let spaceId: string
  let person: Person
  beforeEach(async () => {
    ada = await server.registerHuman('Ada')
    spaceId = spaceIdOf(await server.openSpace(ada))
    person = await browser.comeIn(ada, `/s/${spaceId}`)
  })

  /** Creates an incoming webhook by the dialog, and returns the values that are shown once. */
  async function create(name: string, format: string): Promise<Record<string, string>> {
    const { page } = person
    await page.getByRole('button', { name: 'New incoming webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'New incoming webhook' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('What the tool sends').selectOption(format)
    await dialog.getByRole('button', { name: 'Create' }).click()
    return takeSecret()
  }

  async function takeSecret(): Promise<Record<string, string>> {
    const dialog = person.page.getByRole('dialog', { name: 'Address' })
    const shown: Record<string, string> = {}
    await dialog.getByLabel('Address', { exact: true }).waitFor()
    for (const label of ['Address', 'Secret']) {
      const field = dialog.getByLabel(label, { exact: true })
      if ((await field.count()) > 0) shown[label] = await field.inputValue()
    }
    await dialog.getByRole('button', { name: "I've saved it" }).click()
    await dialog.waitFor({ state: 'detached' })
    return shown
  }

  const choose = async (action: string) => {
    await person.page.getByRole('button', { name: 'Actions for Grafana' }).click()
    await person.page.getByRole('menuitem', { name: action }).click()
  }

  it('are opened from the menu of the space, and their address is shown once', async () => {
    const { page } = person
    await page.getByRole('button', { name: 'Space actions' }).click()
    await page.getByRole('menuitem', { name: 'Incoming webhooks' }).click()
    await page.getByText('No tools post here yet').waitFor()
    const { Address = '', Secret } = await create('Grafana', 'Slack format')
    expect(Secret).toBe(undefined)
    const answer = await server.as(undefined).post(new URL(Address).pathname, { text: '*Disk full*' })
    expect(answer.status).toBe(200)

    await page.getByRole('button', { name: 'Deliveries' }).click()
    await page.getByRole('dialog').getByText('Accepted').waitFor()
    await page.getByRole('dialog').getByRole('link', { name: 'Show message' }).click()
    await page.getByText('Disk full').waitFor()
  })

  it('are disabled, enabled, rotated and deleted', async () => {
    const { page } = person
    await person.open(`/s/${spaceId}/incoming`)
    const { Address = '', Secret = '' } = await create('Grafana', 'JSON')
    const send = (secret: string) => server.as(secret).post(new URL(Address).pathname, { text: 'Up' })
    await choose('Disable')
    await page.getByText('Disabled', { exact: true }).waitFor()
    await send(Secret).expect(403)
    await page.getByRole('button', { name: 'Deliveries' }).click()
    await page.getByRole('dialog').getByText('403: The incoming webhook is disabled').waitFor()
    await page.keyboard.press('Escape')
    await choose('Enable')
    await page.getByText('Active', { exact: true }).waitFor()

    await choose('Replace secret…')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click()
    const rotated = await takeSecret()
    expect(rotated.Secret).not.toBe(Secret)
    await send(Secret).expect(401)
    await send(rotated.Secret ?? '').expect(200)

    await choose('Delete…')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No tools post here yet').waitFor()
    await send(rotated.Secret ?? '').expect(404)
  })

  it('are shown to participants, and created by owners only', async () => {
    const grace = await server.registerHuman('Grace')
    await server.as(grace).post(`/api/spaces/${spaceId}/join`).expect(200)
    await server.as(ada).post(`/api/spaces/${spaceId}/incoming-webhooks`, { name: 'CI', format: 'json' }).expect(200)
    const other = await browser.comeIn(grace, `/s/${spaceId}/incoming`)
    await other.page.getByRole('list', { name: 'Incoming webhooks' }).getByText('CI').waitFor()
    expect(await other.page.getByRole('button', { name: 'New incoming webhook' }).count()).toBe(0)
    expect(await other.page.getByRole('button', { name: 'Actions for CI' }).count()).toBe(0)
  })
})
