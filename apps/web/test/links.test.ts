import { spaceIdOf, useProgram } from '@collab-spaces/testing'
import { it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('the links of a space', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('stand in a picture, which says how many there is no room for; the list below has them all', async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    const link = (n: number) =>
      server
        .as(ada)
        .post(`${path}/links`, { target_uri: `https://example.org/page-${n}`, link_type: 'references' })
        .expect(200)
    for (let n = 1; n <= 10; n++) await link(n)
    const { page } = await browser.comeIn(ada, `/s/${spaceIdOf(path)}?panel=links`)
    const panel = page.getByRole('complementary', { name: 'Links' })
    const picture = panel.getByRole('img', { name: / links to / })
    await picture.getByText('page-10', { exact: true }).waitFor()
    await picture.getByText('more').waitFor({ state: 'detached' })
    for (const n of [11, 12]) await link(n)
    await picture.getByText('and 2 more below').waitFor()
    await panel.getByRole('img', { name: /There are 2 more\.$/ }).waitFor()
    for (let n = 1; n <= 12; n++)
      await panel.getByRole('link', { name: `https://example.org/page-${n}`, exact: true }).waitFor()
  })
})
