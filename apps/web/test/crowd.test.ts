import { eventually, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('a page with many spaces and participants', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('filters the spaces of a new token, and keeps selected ones visible', async () => {
    const ada = await server.registerHuman('Ada')
    const ids = Array.from({ length: 14 }, (_, at) => `plan-${String.fromCharCode(97 + at)}`)
    for (const space_id of ids) {
      await server.as(ada).post('/api/spaces', { space_id }).expect(200)
      await server.as(ada).post(`/api/spaces/${space_id}/join`).expect(200)
    }
    const { page } = await browser.comeIn(ada, '/credentials')
    await page.getByRole('button', { name: 'New token' }).first().click()
    const spaces = page.getByRole('group', { name: 'Only in these spaces' })
    await spaces.getByRole('checkbox', { name: 'plan-c' }).check()
    await spaces.getByRole('searchbox').fill('plan-n')
    await eventually(async () => (await spaces.getByRole('checkbox').count()) === 2)
    await spaces.getByRole('checkbox', { name: 'plan-n' }).check()
    await page.getByLabel('Name', { exact: true }).fill('Report')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog', { name: 'Your token' }).waitFor()
    const [token] = await server.as(ada).get('/api/personal-access-tokens').expect(200)
    expect(token.space_ids.toSorted()).toEqual(['plan-c', 'plan-n'])
  })

  it('filters participants', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    for (let at = 0; at < 13; at++) {
      await server
        .as(await server.registerHuman(`Person ${at}`))
        .post(`${path}/join`)
        .expect(200)
    }
    const { page } = await browser.comeIn(ada, `${path.replace('/api/spaces', '/s')}?panel=people`)
    const panel = page.getByRole('complementary', { name: 'Participants' })
    await eventually(async () => (await panel.getByRole('listitem').count()) === 14)
    await panel.getByRole('searchbox').fill('12')
    await eventually(async () => (await panel.getByRole('listitem').count()) === 1)
    expect(await panel.getByRole('listitem').textContent()).toContain('Person 12')
    await panel.getByRole('searchbox').fill('zoe')
    await panel.getByText('No matches.').waitFor()
  })

  it('validates the name of a space before sending it', async () => {
    const { page } = await browser.comeIn(await server.registerHuman('Ada'), '/')
    await page.getByRole('button', { name: 'New space' }).first().click()
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('spring/release')
    await page.getByText('Use letters, digits', { exact: false }).waitFor()
    await name.fill('spring release')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('textbox', { name: 'Message to spring-release' }).waitFor()
  })
})
