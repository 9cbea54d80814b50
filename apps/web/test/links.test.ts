import { eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'

describeInBrowser('the links of a space', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  it('are shown in a graph, which counts omitted ones, and in a complete list', async () => {
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

  it('are refetched if one was created while a response was in flight', async () => {
    const [ada, bob] = [await server.registerHuman('Ada'), await server.registerHuman('Bob')]
    const [path, other] = [await server.openSpace(ada), await server.openSpace(ada)]
    for (const each of [path, other]) await server.as(ada).post(`${each}/join`).expect(200)
    const { page } = await browser.comeIn(ada, `/s/${spaceIdOf(path)}`)
    let release: (() => void) | undefined
    await page.route(
      '**/trpc/*link.list*',
      async (route) => {
        const response = await route.fetch()
        await new Promise<void>((resolve) => {
          release = resolve
        })
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Links' }).click()
    await eventually(() => release !== undefined)
    const made = { target_uri: 'https://example.org/late', link_type: 'references' }
    await server.as(ada).post(`${path}/links`, made).expect(200)
    await server.as(bob).post(`${other}/speech`, { text: 'Told after the link' }).expect(200)
    await page
      .getByRole('link', { name: spaceIdOf(other) })
      .getByText('1', { exact: true })
      .waitFor()
    release?.()
    await page.getByRole('complementary', { name: 'Links' }).getByRole('link', { name: made.target_uri }).waitFor()
  })

  it('are refetched if one was created while the stream changed its spaces', async () => {
    const ada = await server.registerHuman('Ada')
    const [path, other] = [await server.openSpace(ada), await server.openSpace(ada)]
    const person = await browser.person()
    const { page, context } = person
    await person.open(`/s/${spaceIdOf(path)}?panel=links`)
    await person.signIn(ada, true)
    const panel = page.getByRole('complementary', { name: 'Links' })
    await panel.getByText('No links yet').waitFor()
    let open: (() => void) | undefined
    await page.route(
      ({ href }) => href.includes('/me/stream?') && href.includes(spaceIdOf(other)),
      async (route) => {
        await new Promise<void>((resolve) => {
          open = resolve
        })
        await route.continue()
      },
      { times: 1 },
    )
    const tab = await context.newPage()
    await tab.goto(new URL(`/s/${spaceIdOf(other)}`, page.url()).href)
    await eventually(() => open !== undefined)
    const made = { target_uri: 'https://example.org/late', link_type: 'references' }
    await server.as(ada).post(`${path}/links`, made).expect(200)
    open?.()
    await panel.getByRole('link', { name: made.target_uri }).waitFor()
  })
})
