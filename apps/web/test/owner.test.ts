import { useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a space', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('is changed, archived and restored by its owners, whose names participants see', async () => {
    const ada = await server.registerHuman('Ada')
    const grace = await server.registerHuman('Grace')
    await server.as(ada).post('/api/spaces', { space_id: 'owned' }).expect(200)
    for (const actor of [ada, grace]) await server.as(actor).post('/api/spaces/owned/join').expect(200)

    const one = await browser.comeIn(ada, '/s/owned')
    const menu = () => one.page.getByRole('button', { name: 'Space actions' }).click()
    await menu()
    await one.page.getByRole('menuitem', { name: 'Title, description, owners…' }).click()
    await one.page.getByRole('checkbox', { name: 'Grace' }).check()
    await one.page.getByRole('checkbox', { name: 'Ada' }).uncheck()
    await one.page.getByRole('button', { name: 'Save' }).click()
    await one.page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await server.as(ada).get('/api/spaces/owned/status').expect(200)).owners).toEqual([grace.actor_id])

    const other = await browser.comeIn(grace, '/s/owned')
    await other.page.getByRole('button', { name: 'Space actions' }).click()
    await other.page.getByRole('menuitem', { name: 'Archive…' }).click()
    await other.page.getByRole('button', { name: 'Archive', exact: true }).click()
    await other.page.getByRole('button', { name: 'Restore' }).waitFor()

    await one.page.reload()
    await one.page.getByText('Its owners can reopen it: Grace.', { exact: false }).waitFor()
    expect(await one.page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
    await other.page.getByRole('button', { name: 'Restore' }).click()
    await other.page.getByText('This space is archived', { exact: false }).waitFor({ state: 'detached' })
    expect((await server.as(ada).get('/api/spaces/owned/status').expect(200)).status).toBe('active')
  })
})
