import { randomBytes } from 'node:crypto'
import { type Actor, eventually, spaceIdOf, useProgram } from '@collab-spaces/testing'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { checkAnyhow } from './support/axe.js'
import { describeInBrowser, type Person, useBrowser } from './support/browser.js'
import { dragOver, drop, type GivenFile, given, paste, picture } from './support/files.js'

const SETTINGS = { REGISTRATION_LIMIT: '0', SERVER_KEY: '5a'.repeat(32), FILE_MAX_BYTES: '8000000' }

const fieldOf = ({ page }: Person) => page.getByRole('textbox', { name: /^Message to/ })
const attached = ({ page }: Person) => page.getByRole('list', { name: 'Attached files' })

/** Picks files with the button of the composer. */
const pick = ({ page }: Person, files: readonly GivenFile[]) =>
  page
    .locator('input[type=file]')
    .setInputFiles(files.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes })))

/** Limits the upload speed of a page, in bytes per second. Returns a function that restores it. */
async function slowDown({ page, context }: Person, uploadThroughput: number): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const conditions = { offline: false, latency: 20, downloadThroughput: -1, uploadThroughput }
  await session.send('Network.emulateNetworkConditions', conditions)
  return () => session.detach()
}

/** Returns the button of a file without a preview, by its name. */
const chip = (place: Locator, name: string) =>
  place.getByRole('button', { name: new RegExp(`^${name.replaceAll('.', '\\.')}`) })

/** Returns the value of the first progress bar; 0 without one. */
const progressOf = ({ page }: Person) =>
  page.evaluate(() => document.querySelector<HTMLProgressElement>('progress')?.value ?? 0)

describeInBrowser('files of a message', () => {
  const server = useProgram(SETTINGS)
  const browser = useBrowser(server)

  /** Creates Ada and Grace in one space. */
  async function twoPeople() {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    const path = await server.openSpace(ada)
    for (const actor of [ada, grace]) await server.as(actor).post(`${path}/join`).expect(200)
    return { ada, grace, path, address: `/s/${spaceIdOf(path)}` }
  }

  const eventsOf = (
    actor: Actor,
    path: string,
  ): Promise<{ text: string; files?: { name: string; size: number }[] }[]> =>
    server.as(actor).get(`${path}/events`).expect(200)

  const sent = ({ page }: Person) => page.getByText('Sending…').waitFor({ state: 'detached' })

  it('include a pasted screenshot, which the recipient sees as an image', async () => {
    const { ada, grace, path, address } = await twoPeople()
    const [a, g] = [await browser.comeIn(ada, address), await browser.comeIn(grace, address)]
    await paste(fieldOf(a), [given('image.png', 'image/png', picture(320, 200))])
    await attached(a)
      .getByText(/^Pasted .*\.png$/)
      .waitFor()
    await a.page.getByText('Write a message to send with the files.').waitFor()
    expect(await a.page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await a.say('Look at this')
    const image = g.history.getByRole('button', { name: /^Open Pasted/ }).locator('img')
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(320)
    // A key in a URL would appear in logs and histories.
    expect(await image.getAttribute('src')).not.toContain(grace.api_key)
    await sent(a)
    expect(await attached(a).count()).toBe(0)
    expect(await eventsOf(ada, path)).toMatchObject(
      [{ text: 'Look at this', files: [{ name: /^Pasted/ }] }].map(matching),
    )
  })

  it('are pasted with their names, but not with another text', async () => {
    const { ada, address } = await twoPeople()
    const a = await browser.comeIn(ada, address)
    const photo = given('photo.png', 'image/png', picture(32, 20))
    await paste(fieldOf(a), [photo], 'a\tb')
    await paste(fieldOf(a), [photo], 'photo.png')
    await attached(a).getByText('photo.png').waitFor()
    expect(await attached(a).getByRole('listitem').count()).toBe(1)
  })

  it('are named in one-line excerpts, in each language, until they are deleted', async () => {
    const { ada, grace, path, address } = await twoPeople()
    const upload = async (name: string) =>
      (await server.as(grace).post(`${path}/files?name=${name}`, name).expect(200)).file_id as string
    const file_ids = [await upload('plan.pdf'), await upload('a.png'), await upload('b.png')]
    const metadata = { mentions: [ada.actor_id] }
    const message = await server.as(grace).post(`${path}/speech`, { text: '👍', file_ids, metadata }).expect(200)
    const about = { parent_event_id: message.event_id, subject: 'Plan' }
    const { thread_id } = await server.as(ada).post(`${path}/threads`, about).expect(200)
    const reply = { text: 'Here', thread_id, parent_event_id: message.event_id, file_ids: [await upload('map.png')] }
    await server.as(grace).post(`${path}/speech`, reply).expect(200)

    const { page } = await browser.comeIn(ada, '/inbox')
    for (const [language, all, words] of [
      ['en', 'Sent plan.pdf and 2 other files', 'Here (map.png)'],
      ['de', 'plan.pdf und 2 weitere Dateien gesendet', 'Here (map.png)'],
      ['ar', 'تم إرسال plan.pdf وملفان آخران', 'Here (map.png)'],
    ] as const) {
      await page.evaluate((value) => localStorage.setItem('spaces.language', value), language)
      await page.goto(`${server.url}/inbox`)
      await page.getByText(all).first().waitFor()
      await page.goto(`${server.url}${address}`)
      await page.getByText(words).first().waitFor()
      await page.goto(`${server.url}${address}?panel=threads`)
      await page.getByRole('complementary').getByText(words).first().waitFor()
    }
    await server.as(grace).delete(`${path}/files/${file_ids[0]}`).expect(200)
    await page.evaluate(() => localStorage.setItem('spaces.language', 'en'))
    await page.goto(`${server.url}/inbox`)
    await page.getByText('Sent a.png and 1 other file').first().waitFor()
  })

  it('show their progress after a drop, and can be removed', async () => {
    const { ada, path, address } = await twoPeople()
    const a = await browser.comeIn(ada, address)
    await slowDown(a, 300_000)
    const files = ['one.bin', 'two.bin', 'three.bin'].map((name) => given(name, '', randomBytes(1_500_000)))
    await dragOver(a.history, files)
    await a.page.getByText('Drop files to attach them').waitFor()
    await drop(a.history, files)
    await a.page.getByText('Drop files to attach them').waitFor({ state: 'detached' })
    await attached(a).getByRole('progressbar', { name: 'Uploading one.bin' }).waitFor()
    await eventually(async () => (await progressOf(a)) > 200_000)
    await attached(a).getByRole('button', { name: 'Cancel two.bin' }).click()
    await attached(a).getByRole('progressbar', { name: 'Uploading three.bin' }).waitFor()
    await a.say('Two of three')
    await a.history.getByRole('progressbar').first().waitFor()
    await chip(a.history, 'three.bin').waitFor()
    const names = (await eventsOf(ada, path)).map((event) => event.files?.map(({ name }) => name))
    expect(names).toEqual([['one.bin', 'three.bin']])
  })

  it('are discarded with their message during the upload', async () => {
    const { ada, path, address } = await twoPeople()
    const a = await browser.comeIn(ada, address)
    const restoreSpeed = await slowDown(a, 100_000)
    await pick(a, [given('large.bin', '', randomBytes(3_000_000))])
    await attached(a).getByRole('progressbar').waitFor()
    await a.say('Not this one')
    await a.history.getByRole('progressbar').waitFor()
    await a.history.getByRole('button', { name: 'Discard' }).click()
    await a.history.getByRole('progressbar').waitFor({ state: 'detached' })
    await restoreSpeed()
    await a.say('But this')
    await eventually(async () => (await eventsOf(ada, path)).length > 0)
    expect((await eventsOf(ada, path)).map(({ text }) => text)).toEqual(['But this'])
  })

  it('are limited to ten, and to the size that the server allows', async () => {
    const { ada, path, address } = await twoPeople()
    const a = await browser.comeIn(ada, address)
    await pick(a, [given('large.bin', '', Buffer.alloc(8_000_001))])
    await attached(a).getByText('Too large: files have at most 7.6 MB').waitFor()
    expect(await a.page.getByRole('button', { name: 'Attach files' }).getAttribute('title')).toContain('7.6 MB')
    await fieldOf(a).fill('With it')
    await a.page.getByText('Retry or remove the files that failed.').waitFor()
    expect(await a.page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await attached(a).getByRole('button', { name: 'Remove large.bin' }).click()
    await pick(
      a,
      Array.from({ length: 11 }, (_, at) => given(`${at}.txt`, 'text/plain', `file ${at}`)),
    )
    await a.page.getByText('A message has at most 10 files').waitFor()
    await fieldOf(a).press('Enter')
    await chip(a.history, '9.txt').waitFor()
    expect((await eventsOf(ada, path))[0]?.files).toHaveLength(10)
  })

  it('are kept over a reload without a connection, and sent once', async () => {
    const { ada, grace, path, address } = await twoPeople()
    const a = await browser.comeIn(ada, address)
    await a.page.getByText('Start the conversation').waitFor()
    await a.page.route(/\/(api|trpc)\//, (route) => route.abort())
    await pick(a, [given('plan.txt', 'text/plain', 'To the sea')])
    await a.say('The plan')
    await a.page.getByText('Waiting for the connection').first().waitFor()
    await a.page.reload()
    await a.page.getByText('The server is not responding').waitFor()
    await a.page.unroute(/\/(api|trpc)\//)
    await a.page.getByRole('button', { name: 'Send again' }).click()
    const g = await browser.comeIn(grace, address)
    await chip(g.history, 'plan.txt').waitFor()
    await sent(a)
    expect(await eventsOf(ada, path)).toMatchObject([{ text: 'The plan', files: [{ name: 'plan.txt', size: 10 }] }])
    expect(await server.as(ada).get(`${path}/files`).expect(200)).toHaveLength(1)
  })

  it('are kept over a reload as part of a draft', async () => {
    const { ada, path, address } = await twoPeople()
    const a = await browser.comeIn(ada, address)
    await pick(a, [given('plan.txt', 'text/plain', 'To the sea')])
    await attached(a).getByText(/Ready/).waitFor()
    await a.page.reload()
    await attached(a).getByText(/Ready/).waitFor()
    await a.say('Kept')
    await chip(a.history, 'plan.txt').waitFor()
    expect(await server.as(ada).get(`${path}/files`).expect(200)).toHaveLength(1)
  })

  it('arrive once when the connection breaks during the upload', async () => {
    const { ada, path, address } = await twoPeople()
    const a = await browser.comeIn(ada, address)
    const restoreSpeed = await slowDown(a, 150_000)
    const bytes = randomBytes(5_000_000)
    await pick(a, [given('large.bin', '', bytes)])
    await a.say('All of it')
    await eventually(async () => (await progressOf(a)) > 300_000)
    await server.kill()
    await restoreSpeed()
    await server.start()
    await chip(a.history, 'large.bin').waitFor()
    await sent(a)
    expect(await eventsOf(ada, path)).toMatchObject([{ files: [{ size: bytes.length }] }])
    const [file, ...others] = await server.as(ada).get(`${path}/files`).expect(200)
    expect(others).toEqual([])
    const response = await fetch(`${server.url}${path}/files/${file.file_id}/content`, {
      headers: { authorization: `Bearer ${ada.api_key}` },
    })
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('are discarded with their message before it is sent', async () => {
    const { ada, path, address } = await twoPeople()
    const a = await browser.comeIn(ada, address)
    await a.page.route(/\/files\?name=/, (route) => route.fulfill({ status: 403, json: { detail: 'No more room' } }))
    await pick(a, [given('plan.txt', 'text/plain', 'To the sea')])
    await attached(a).getByText('No more room').waitFor()
    await a.page.unroute(/\/files\?name=/)
    await attached(a).getByRole('button', { name: 'Retry plan.txt' }).click()
    await attached(a).getByText(/Ready/).waitFor()
    await a.page.route('**/trpc/event.speech**', (route) => route.abort())
    await a.say('Never mind')
    await a.page.getByText('Waiting for the connection').first().waitFor()
    await a.history.getByRole('button', { name: 'Discard' }).click()
    await a.history.getByText('Never mind').waitFor({ state: 'detached' })
    const kept = () => Object.keys(window.sessionStorage).filter((key) => key.startsWith('spaces.uploads'))
    expect(await a.page.evaluate(kept)).toEqual([])
    expect(await eventsOf(ada, path)).toEqual([])
  })

  it('are deleted from the browser on sign-out', async () => {
    const { ada, address } = await twoPeople()
    const a = await browser.comeIn(ada, address)
    await pick(a, [given('plan.txt', 'text/plain', 'To the sea')])
    await attached(a).getByText(/Ready/).waitFor()
    expect(await a.page.evaluate(storedBlobs)).toBe(1)
    await a.page.getByRole('button', { name: 'Account: Ada' }).click()
    await a.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await a.page.getByLabel('API key or token').waitFor()
    await expect.poll(() => a.page.evaluate(storedBlobs)).toBe(0)
  })

  it('can be attached in a thread, by dropping on its panel', async () => {
    const { ada, path, address } = await twoPeople()
    const message = await server.as(ada).post(`${path}/speech`, { text: 'What about lunch?' }).expect(200)
    const a = await browser.comeIn(ada, `${address}?thread=${message.event_id}`)
    const panel = a.page.getByRole('complementary')
    await panel.getByRole('textbox').waitFor()
    await drop(panel, [given('menu.txt', 'text/plain', 'Soup')])
    await panel.getByRole('list', { name: 'Attached files' }).getByText(/Ready/).waitFor()
    await panel.getByRole('textbox').fill('This')
    await panel.getByRole('textbox').press('Enter')
    await chip(panel, 'menu.txt').waitFor()
    expect((await eventsOf(ada, path)).at(-1)).toMatchObject({ text: 'This', files: [{ name: 'menu.txt' }] })
  })
})

/** Returns the number of blobs stored in the browser. */
const storedBlobs = () =>
  new Promise<number>((resolve) => {
    const request = indexedDB.open('spaces.files')
    request.onsuccess = () => {
      const count = request.result.transaction('blobs').objectStore('blobs').count()
      count.onsuccess = () => resolve(count.result)
    }
  })

/** Returns events in which `toMatchObject` compares names with a regular expression. */
const matching = ({ text, files }: { text: string; files: { name: RegExp }[] }) => ({
  text,
  files: files.map(({ name }) => ({ name: expect.stringMatching(name) })),
})

const ATTACK = '<svg xmlns="http://www.w3.org/2000/svg" onload="top.pwned=1"><script>top.pwned=1</script></svg>'

describeInBrowser('files in the history', () => {
  const server = useProgram(SETTINGS)
  const browser = useBrowser(server)

  /** Creates Ada and Grace in a space with a message that has files. */
  async function withFiles(files: readonly GivenFile[], text = 'Look') {
    const [ada, grace] = [await server.registerHuman('Ada'), await server.registerHuman('Grace')]
    const path = await server.openSpace(ada)
    for (const actor of [ada, grace]) await server.as(actor).post(`${path}/join`).expect(200)
    const file_ids: string[] = []
    for (const { name, type, bytes } of files) {
      const headers = { 'content-type': type }
      const to = `${path}/files?${new URLSearchParams({ name })}`
      file_ids.push((await server.as(ada).post(to, bytes, { headers }).expect(200)).file_id)
    }
    const event = await server.as(ada).post(`${path}/speech`, { text, file_ids }).expect(200)
    return { ada, grace, path, event, file_ids, address: `/s/${spaceIdOf(path)}` }
  }

  const dialogOf = ({ page }: Person) => page.getByRole('dialog')

  it('are opened, browsed and closed by keyboard', async () => {
    const { grace, address } = await withFiles([
      given('notes.md', 'text/markdown', '# Notes\n\n- **one**\n- two'),
      given('sea.png', 'image/png', picture(900, 600)),
      given('table.csv', 'text/csv', 'name,size\n"Sea, deep",12\n'),
      given('main.ts', 'application/octet-stream', 'export const a = 1 // one'),
      given('paper.pdf', 'application/pdf', '%PDF-1.4 …'),
    ])
    const g = await browser.comeIn(grace, address)
    const { page } = g
    const image = g.history.getByRole('button', { name: 'Open sea.png' })
    await image.locator('img').waitFor()
    await image.focus()
    await page.keyboard.press('Enter')
    const dialog = dialogOf(g)
    await dialog.getByRole('img', { name: 'sea.png' }).waitFor()
    await dialog.getByText('1 of 5').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('region', { name: 'Content of notes.md' }).getByRole('listitem').first().waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('cell', { name: 'Sea, deep' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('export const a = 1').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('Download it to open it').waitFor()
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe('paper.pdf')
    expect(download.url()).not.toContain(grace.api_key)
    for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowLeft')
    await dialog.getByRole('img', { name: 'sea.png' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => image.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('execute no script, whatever they contain', async () => {
    const gif = Buffer.concat([Buffer.from('GIF89a/*', 'latin1'), Buffer.from(`*/=1;top.pwned=1//${ATTACK}`)])
    const { grace, path, address, file_ids } = await withFiles([
      given('page.html', 'text/html', `<!doctype html><script>top.pwned=1</script>${ATTACK}`),
      given('drawing.svg', 'image/svg+xml', ATTACK),
      given('drawing.png', 'image/png', ATTACK),
      given('both.gif', 'image/gif', gif),
      given('notes.md', 'text/markdown', `${ATTACK}\n\n[x](javascript:top.pwned=1) <iframe srcdoc="${ATTACK}">`),
      given('table.csv', 'text/csv', `"${ATTACK.replaceAll('"', '""')}",=1+1`),
    ])
    const g = await browser.comeIn(grace, address)
    const { page } = g
    const harmless = async () => {
      const found = await page.evaluate(() => ({
        ran: 'pwned' in window,
        inserted: document.querySelectorAll('body script, iframe, object, embed, svg[onload]').length,
        addresses: [...document.querySelectorAll('a')].map(({ protocol }) => protocol),
      }))
      expect(found).toMatchObject({ ran: false, inserted: 0 })
      expect(found.addresses).not.toContain('javascript:')
    }
    await g.history.getByText('Not an image').first().waitFor()
    const dialog = dialogOf(g)
    for (const name of ['page.html', 'drawing.svg', 'notes.md', 'table.csv']) {
      await chip(g.history, name).click()
      await dialog.getByText('onload=').first().waitFor()
      await harmless()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await g.history.getByRole('button', { name: /^Open both\.gif/ }).click()
    await dialog.getByRole('button', { name: 'Download' }).waitFor()
    await harmless()
    // In a tab of its own, each is downloaded, or shown without a script.
    for (const file_id of file_ids) {
      const { ticket } = await server.as(grace).post(`${path}/files/${file_id}/tickets`).expect(200)
      const tab = await g.context.newPage()
      await tab.goto(`${server.url}${path}/files/${file_id}/content?token=${ticket}`).catch(() => undefined)
      expect(await tab.evaluate(() => 'pwned' in window)).toBe(false)
      await tab.close()
    }
  })

  it('are previewed only up to a limit', async () => {
    const { grace, address } = await withFiles([
      given('long.txt', 'text/plain', `first line\n${'x'.repeat(99)}\n`.padEnd(400_000, 'é')),
      given('binary.txt', 'text/plain', 'a\0b'),
      given('empty.txt', 'text/plain', ''),
    ])
    const g = await browser.comeIn(grace, address)
    const dialog = dialogOf(g)
    await chip(g.history, 'long.txt').click()
    await dialog.getByText('Only the first 256 kB are shown.').waitFor()
    expect(await dialog.locator('pre').evaluate((element) => element.textContent?.includes('\uFFFD'))).toBe(false)
    await dialog.getByRole('button', { name: 'Next file' }).click()
    await dialog.getByText('No preview').waitFor()
    await dialog.getByRole('button', { name: 'Next file' }).click()
    await dialog.getByText('The file is empty.').waitFor()
  })

  it('are marked as deleted', async () => {
    const { ada, grace, path, address, file_ids } = await withFiles([
      given('sea.png', 'image/png', picture(300, 200)),
      given('plan.txt', 'text/plain', 'To the sea'),
    ])
    for (const id of file_ids) await server.as(ada).delete(`${path}/files/${id}`).expect(200)
    const g = await browser.comeIn(grace, address)
    await g.history.getByRole('button', { name: 'Open sea.png: Deleted' }).waitFor()
    await g.history
      .getByRole('button', { name: /plan\.txt/ })
      .getByText(/Deleted/)
      .waitFor()
    expect(await g.history.getByRole('button', { name: 'Download plan.txt' }).count()).toBe(0)
    await chip(g.history, 'plan.txt').click()
    await dialogOf(g).getByText('This file was deleted').waitFor()
  })

  it('are marked as unavailable if the reader cannot access them', async () => {
    const { grace, address } = await withFiles([given('plan.txt', 'text/plain', 'To the sea')])
    const g = await browser.person()
    await g.page.route(/\/trpc\/.*file\.get/, (route) => {
      const calls = new URL(route.request().url()).pathname.replace('/trpc/', '').split(',')
      const data = { httpStatus: 404, code: 'NOT_FOUND', detail: 'File not found' }
      return route.fulfill({
        status: 404,
        json: calls.map(() => ({ error: { message: 'File not found', code: -32004, data } })),
      })
    })
    await g.open(address)
    await g.signIn(grace)
    await g.history.getByText(/No longer available/).waitFor()
  })

  it('are listed, link to their messages, and are deleted by their uploader or an owner', async () => {
    const { ada, grace, path, address } = await withFiles([given('sea.png', 'image/png', picture(300, 200))])
    const menu = { headers: { 'content-type': 'text/plain' } }
    const { file_id } = await server
      .as(grace)
      .post(`${path}/files?name=menu.txt`, Buffer.from('Soup'), menu)
      .expect(200)
    await server
      .as(grace)
      .post(`${path}/speech`, { text: 'Lunch', file_ids: [file_id] })
      .expect(200)
    const g = await browser.comeIn(grace, address)
    await g.page.keyboard.press('Control+k')
    await g.page.getByRole('combobox', { name: 'Search or jump to' }).fill('files')
    await g.page.getByRole('option', { name: /^Files/ }).click()
    const list = (person: Person) => person.page.getByRole('list', { name: 'Files in this space' })
    await list(g).getByRole('listitem').nth(1).waitFor()
    expect(await list(g).getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^menu\.txt\s+Grace · [\d:]+\s+TXT · 4 bytes$/),
      expect.stringMatching(/^sea\.png\s+Ada · [\d:]+\s+PNG · /),
    ])
    await g.page.getByRole('button', { name: 'Actions for sea.png' }).click()
    await g.page.getByRole('menuitem', { name: 'Download' }).waitFor()
    expect(await g.page.getByRole('menuitem', { name: 'Delete…' }).count()).toBe(0)
    await g.page.getByRole('menuitem', { name: 'Go to message' }).click()
    await g.page.waitForURL(/\/e\//)
    await list(g)
      .getByRole('button', { name: /^menu\.txt/ })
      .click()
    await dialogOf(g).getByText('Soup').waitFor()
    await g.page.keyboard.press('Escape')

    const a = await browser.comeIn(ada, `${address}?panel=files`)
    await a.page.getByRole('button', { name: 'Actions for menu.txt' }).click()
    await a.page.getByRole('menuitem', { name: 'Delete…' }).click()
    await a.page.getByRole('dialog', { name: 'Delete menu.txt?' }).getByRole('button', { name: 'Delete' }).click()
    await list(a).getByText('Deleted').waitFor()
    await a.history.getByText(/Deleted/).waitFor()
    expect(await server.as(grace).get(`${path}/files/${file_id}`).expect(200)).toMatchObject({
      deleted_at: expect.any(String),
    })
  })

  it('are listed one page at a time', async () => {
    const names = Array.from({ length: 31 }, (_, at) => `${at}.txt`)
    const { ada, path, address } = await withFiles([])
    for (const name of names) {
      await server.as(ada).post(`${path}/files?name=${name}`, Buffer.from(name)).expect(200)
    }
    const a = await browser.comeIn(ada, `${address}?panel=files`)
    const rows = a.page.getByRole('list', { name: 'Files in this space' }).getByRole('listitem')
    await rows.getByText('Not sent yet').first().waitFor()
    expect(await rows.count()).toBe(30)
    await a.page.getByRole('button', { name: 'Show older files' }).click()
    await rows.nth(30).waitFor()
  })

  it('pass axe, and fit a phone', async () => {
    const { ada, address } = await withFiles([
      given(
        'A long name of a picture of the sea in the evening, by the old harbour.png',
        'image/png',
        picture(900, 600),
      ),
      given('second.png', 'image/png', picture(300, 800)),
      given('notes.md', 'text/markdown', `# Notes\n\n${'A long line. '.repeat(40)}\n\n\`\`\`ts\nconst a = 1\n\`\`\``),
      given('table.csv', 'text/csv', `${'a column,'.repeat(20)}\n${'value,'.repeat(20)}`),
      given('paper.pdf', 'application/pdf', '%PDF-1.4 …'),
    ])
    const a = await browser.comeIn(ada, address)
    const { page } = a
    await pick(a, [
      given('photo.png', 'image/png', picture(400, 300)),
      given(`${'a-very-long-name-'.repeat(9)}.bin`, '', randomBytes(200_000)),
    ])
    await checkAnyhow(a, 'a message with files', () => attached(a).getByText(/Ready/).nth(1).waitFor())
    for (const name of ['second.png', 'notes.md', 'table.csv', 'paper.pdf']) {
      await a.history
        .getByRole('button', { name: new RegExp(`^(Open )?${name}`) })
        .first()
        .click()
      await checkAnyhow(a, name, () => dialogOf(a).getByRole('button', { name: 'Download' }).waitFor())
      await page.keyboard.press('Escape')
      await dialogOf(a).waitFor({ state: 'detached' })
    }
    await a.open(`${address}?panel=files`)
    await checkAnyhow(a, 'the files of a space', () =>
      page.getByRole('button', { name: 'Actions for paper.pdf' }).waitFor(),
    )
  })
})
