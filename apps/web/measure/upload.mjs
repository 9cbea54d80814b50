// Uploads a file of 25 MiB by the page on slow 4G, with a connection that is lost in the middle. Exits with 1 unless it
// arrives, once and whole:
//
//   pnpm build && pnpm --filter @collab-spaces/web measure:upload
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createClient } from '@collab-spaces/client'
import { makeHistory, makePeople } from '../pictures/history.mjs'
import { onStage, signedIn } from '../stage.mjs'

/** Slow 4G: bytes per millisecond in each direction, and the time of one way. */
const RATE = 200
const ONE_WAY_MS = 75
const SIZE = 25 * 1024 * 1024
/** The part that is sent when the connection is lost, and for how long it is. */
const LOST_AT = 0.4
const LOST_MS = 10_000
const REPORT_MS = 20_000
const TEXT = 'All 25 MiB of it'

await onStage(async ({ url, browser }) => {
  const people = await makePeople(url)
  const { space_id } = await makeHistory(url, people)
  const link = await slowLink(Number(new URL(url).port))
  const page = await signedIn(browser, link.url, people.ada)
  page.setDefaultTimeout(15 * 60_000)
  await page.goto(`${link.url}/s/${space_id}`)
  const field = page.getByRole('textbox', { name: /^Message to/ })
  await field.waitFor()

  const bytes = randomBytes(SIZE)
  const begin = Date.now()
  const report = (what) => process.stdout.write(`${Math.round((Date.now() - begin) / 1_000)} s: ${what}\n`)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'large.bin', mimeType: 'application/octet-stream', buffer: bytes })
  await field.fill(TEXT)
  await field.press('Enter')
  const partSent = () => page.evaluate(() => document.querySelector('[role=log] progress')?.position ?? 0)
  const timer = setInterval(() => void partSent().then((part) => report(`${Math.round(100 * part)} %`)), REPORT_MS)
  await page.waitForFunction((part) => document.querySelector('[role=log] progress')?.position > part, LOST_AT)
  report('the connection is lost')
  link.cut(LOST_MS)
  await page
    .getByRole('log')
    .getByRole('button', { name: /^large\.bin/ })
    .waitFor()
  clearInterval(timer)
  report('arrived')
  link.close()

  const client = createClient({ url, token: people.ada.api_key })
  const files = await client.file.list.query({ space_id })
  const events = (await client.event.list.query({ space_id, tail: true, limit: 50 })).filter(
    ({ text }) => text === TEXT,
  )
  const isWhole = files[0]?.sha256 === createHash('sha256').update(bytes).digest('hex')
  process.stdout.write(`${files.length} file, ${events.length} event, ${isWhole ? 'whole' : 'damaged'}\n`)
  if (files.length !== 1 || events.length !== 1 || !isWhole) process.exitCode = 1
})

/** Starts a relay to a port with the rate of a slow network. The emulation of browsers does not outlast a lost connection. */
async function slowLink(port) {
  const sockets = new Set()
  let isCut = false
  const carry = (from, to, direction) => {
    from.on('data', (piece) => {
      const now = Date.now()
      direction.freeAt = Math.max(now, direction.freeAt) + piece.length / RATE
      from.pause()
      setTimeout(() => from.resume(), direction.freeAt - now)
      setTimeout(() => to.write(piece), direction.freeAt - now + ONE_WAY_MS)
    })
    from.on('close', () => setTimeout(() => to.destroy(), ONE_WAY_MS))
    from.on('error', () => {})
  }
  const [up, down] = [{ freeAt: 0 }, { freeAt: 0 }]
  const server = createServer((socket) => {
    if (isCut) return socket.destroy()
    const upstream = connect(port, '127.0.0.1')
    for (const one of [socket, upstream]) {
      sockets.add(one)
      one.on('close', () => sockets.delete(one))
    }
    carry(socket, upstream, up)
    carry(upstream, socket, down)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut(ms) {
      isCut = true
      breakAll()
      setTimeout(() => {
        isCut = false
      }, ms)
    },
    close() {
      server.close()
      breakAll()
    },
  }
}
