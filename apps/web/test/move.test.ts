import { spaceIdOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { describeInBrowser, useBrowser } from './support/browser.js'
import { LOCATION, leave } from './support/move.js'

describeInBrowser('a member of a tenant that moves to another installation', () => {
  const server = useProgram({ REGISTRATION_LIMIT: '0' })
  const browser = useBrowser(server)

  const comeIn = async () => {
    const ada = await server.registerHuman('Ada')
    const path = await server.openSpace(ada)
    await server.as(ada).post(`${path}/join`).expect(200)
    await server.as(ada).post(`${path}/speech`, { text: 'Where shall we go?' }).expect(200)
    const place = `/s/${spaceIdOf(path)}?panel=people`
    return { ada, place, spaceId: spaceIdOf(path), person: await browser.comeIn(ada, place) }
  }

  it('sees the new address, with a link to the same page, and keeps unsent texts', async () => {
    const { ada, place, spaceId, person } = await comeIn()
    const { page, context } = person
    await person.sees('Where shall we go?')
    await leave(context, ada, /event\.speech/)
    await person.say('To the sea')
    await page.getByRole('heading', { name: 'Your organization has moved' }).waitFor()
    const link = page.getByRole('link', { name: 'Open this page at b.example.org' })
    expect(await link.getAttribute('href')).toBe(`${LOCATION}${place}`)
    expect(await page.getByLabel(`Not sent to ${spaceId}`).inputValue()).toBe('To the sea')

    // It does not poll. Preloading continues.
    const urls: string[] = []
    page.on('request', (request) => /\/(api|trpc)\//.test(request.url()) && urls.push(request.url()))
    await page.waitForTimeout(3_000)
    expect(urls).toEqual([])

    await page.reload()
    await page.getByRole('heading', { name: 'Your organization has moved' }).waitFor()
    expect(await page.getByLabel(`Not sent to ${spaceId}`).inputValue()).toBe('To the sea')
  })

  it('keeps a draft until the tenant has returned', async () => {
    const { ada, person } = await comeIn()
    const { page, context } = person
    const field = page.getByRole('textbox', { name: /^Message to/ })
    await field.fill('By train')
    await leave(context, ada)
    await page.reload()
    await page.getByRole('heading', { name: 'Your organization has moved' }).waitFor()
    expect(await page.getByLabel(/^Not sent to/).inputValue()).toBe('By train')
    await context.unrouteAll()
    await page.reload()
    await field.waitFor()
    expect(await field.inputValue()).toBe('By train')
  })

  it('can sign out or switch accounts, and sees the move on the sign-in page, too', async () => {
    const { ada, person } = await comeIn()
    const { page, context } = person
    await leave(context, ada)
    await page.reload()
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('API key or token').fill(ada.api_key)
    await page.getByRole('button', { name: 'Sign in' }).last().click()
    await page.getByText(`Your organization has moved to ${LOCATION}`).waitFor()
    const grace = await server.registerHuman('Grace')
    await person.signIn(grace)
  })
})
