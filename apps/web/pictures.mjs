// Takes the pictures of the README, of the built page on a server of its own, in the browser of this machine:
//
//   pnpm build && pnpm --filter @collab-spaces/web pictures
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@collab-spaces/client'
import { Program } from '@collab-spaces/testing/programs'
import { chromium } from 'playwright-core'

const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
const executablePath = spawnSync('sh', ['-c', 'command -v chromium || command -v google-chrome'], { encoding: 'utf8' })
const directory = mkdtempSync(join(tmpdir(), 'pictures-'))
const server = new Program({ DATA_DIR: join(directory, 'data') })
try {
  const url = await server.url()
  await takePictures(url, await makeHistory(url))
} finally {
  await server.kill('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
}

/** A space in which people and an agent have something to decide. */
async function makeHistory(url) {
  const as = (token) => createClient({ url, token })
  const human = (display_name, email) => as().actor.register.mutate({ display_name, email })
  const ada = await human('Ada Lovelace', 'ada@example.org')
  const grace = await human('Grace Hopper', 'grace@example.org')
  const scout = await as(ada.api_key).actor.register.mutate({ display_name: 'Scout', actor_type: 'agent' })
  const [a, g, s] = [ada, grace, scout].map(({ api_key }) => as(api_key))
  const spaces = {
    'spring-release': 'Ship 2.4 before the conference: what is in, what waits, who does what',
    'trip-to-lisbon': 'Where to go, when, and by which train',
    'incident-0412': 'Queue backlog on the 12th of April',
  }
  for (const [space_id, description] of Object.entries(spaces)) {
    await a.space.create.mutate({ space_id, description })
    for (const client of [a, g, s]) await client.participant.join.mutate({ space_id })
  }
  const space_id = 'spring-release'
  const metadata = { mentions: [scout.actor_id] }
  await g.event.speech.mutate({ space_id: 'trip-to-lisbon', text: 'Shall we take the early train?' })
  await a.event.speech.mutate({
    space_id,
    text: 'Two things are open for **2.4**: the importer and the new search. What is the state of the importer?',
  })
  await g.event.speech.mutate({
    space_id,
    text: 'It passes all of its tests. Nobody has tried it with the really large archives, though.',
  })
  const question = await a.event.speech.mutate({
    space_id,
    text: '@Scout can you run the 200 GB archive against the branch and tell us peak memory?',
    metadata,
  })
  const answer = await s.event.response.mutate({
    space_id,
    parent_event_id: question.event_id,
    text: 'Done: **1.3 GB** at its peak, 41 minutes. The archive is read in pieces, so its size does not matter.\n\n```ts\nconst importer = new Importer({ pieces: 64 })\nfor await (const piece of importer.read(archive)) {\n  await store.append(piece) // one transaction each\n}\n```',
  })
  const { thread_id } = await g.thread.start.mutate({
    space_id,
    parent_event_id: answer.event_id,
    subject: 'Memory of the importer',
  })
  const inThread = { space_id, thread_id, parent_event_id: answer.event_id }
  await g.event.speech.mutate({ ...inThread, text: 'Far better than I feared. Is most of it the index?' })
  await s.event.response.mutate({ ...inThread, text: 'Yes, 0.9 GB. It would be 0.4 GB with `compact: true`.' })
  await s.event.append.mutate({
    space_id,
    speaker_id: 'standup',
    speaker_name: 'Standup, Tuesday',
    speaker_type: 'transcript',
    text: '“…if the importer holds up, we keep the date.”',
  })
  await g.event.speech.mutate({ space_id, text: 'Then I am for shipping both.' })
  const propose = (text) => s.decision.propose.mutate({ space_id, proposed_by: scout.actor_id, text })
  const first = await propose('Ship 2.4 with the importer and the new search')
  const second = await propose('Hold the release until May')
  await propose('Turn `compact` on by default')
  const settle = (decision_id, status, resolution) =>
    a.decision.resolve.mutate({ space_id, decision_id, status, resolution, resolved_by: ada.actor_id })
  await settle(first.decision_id, 'resolved', 'The importer has held up')
  await settle(second.decision_id, 'rejected', 'No reason left to wait')
  return { ada, thread_id }
}

async function takePictures(url, { ada, thread_id }) {
  const browser = await chromium.launch({ executablePath: executablePath.stdout.trim() })
  const take = async (name, path, options) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options })
    const page = await context.newPage()
    await page.goto(url)
    await page.getByLabel('API key or token').fill(ada.api_key)
    await page.getByRole('button', { name: 'Sign in' }).last().click()
    await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor()
    await page.goto(url + path, { waitUntil: 'networkidle', timeout: 3_000 }).catch(() => {})
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: `${PICTURES}${name}.png` })
    await context.close()
  }
  await take('space', `/s/spring-release?thread=${thread_id}`, { colorScheme: 'light' })
  await take('decisions', '/s/spring-release/decisions', {
    colorScheme: 'dark',
    viewport: { width: 1280, height: 480 },
  })
  await browser.close()
}
