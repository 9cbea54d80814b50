// Writes the data of this release for the tests of later ones: a backup of a small history, and what the server answers
// about it. Run it once, after a release was built.
//
//   node scripts/release-data.mjs [CHECKOUT]
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const here = resolve(import.meta.dirname, '..')
const checkout = resolve(process.argv[2] ?? here)
const main = join(checkout, 'apps/server/dist/main.js')
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
const target = join(here, 'apps/server/test/releases', version)

const work = mkdtempSync(join(tmpdir(), 'spaces-release-'))
// biome-ignore lint/style/noProcessEnv: programs are found where this one is, all else is given
const environment = { PATH: process.env.PATH, DATA_DIR: join(work, 'data'), PORT: '0', LOG_LEVEL: 'warn' }
const server = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'inherit'], cwd: work })
const gone = new Promise((ended) => server.once('exit', ended))

try {
  const url = await readyUrl()
  const asked = await live(url)
  const answers = []
  for (const { path, key } of asked) answers.push({ path, key, answer: await call(url, key, 'GET', path) })
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  execFileSync(process.execPath, [main, 'backup', join(target, 'backup.gz')], { env: environment, cwd: work })
  writeFileSync(join(target, 'answers.json'), `${JSON.stringify(answers, null, 2)}\n`)
  process.stdout.write(`Wrote ${target}: ${answers.length} answers\n`)
} finally {
  server.kill('SIGTERM')
  await gone
  rmSync(work, { recursive: true, force: true })
}

async function readyUrl() {
  let text = ''
  for await (const chunk of server.stdout) {
    text += chunk
    const [, url] = /is ready at (\S+) /.exec(text) ?? []
    if (url) return url
  }
  throw new Error('The server did not start')
}

async function call(url, key, method, path, body) {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Something of everything that is stored. Resolves to what is to be asked about it, and with which key. */
async function live(url) {
  const post = (key, path, body) => call(url, key, 'POST', path, body)
  const ada = await post(undefined, '/api/actors', { display_name: 'Ada', email: 'ada@example.org' })
  const tenant = await post(ada.api_key, '/api/tenants', { name: 'Analysts' })
  const invite = await post(ada.api_key, '/api/invites', {})
  const bob = await post(undefined, '/api/actors', {
    display_name: 'Bob',
    email: 'bob@example.org',
    code: invite.code,
  })
  const scout = await post(ada.api_key, '/api/actors', { display_name: 'Scout', actor_type: 'agent' })
  const token = await post(ada.api_key, '/api/personal-access-tokens', { name: 'laptop' })

  for (const space_id of ['plans', 'archive']) {
    await post(ada.api_key, '/api/spaces', {
      space_id,
      description: `About ${space_id}`,
      links: ['https://example.org/'],
    })
    for (const { api_key } of [ada, bob]) await post(api_key, `/api/spaces/${space_id}/join`, {})
  }
  const space = '/api/spaces/plans'
  await post(scout.api_key, `${space}/join`, { agent_adapter: 'rest' })
  const question = await post(ada.api_key, `${space}/speech`, {
    text: 'Where shall we go, @Scout? Vielleicht ans Meer — 海へ行こう 🌊',
    metadata: { mentions: [scout.actor_id], mood: 'curious' },
  })
  const thread = await post(scout.api_key, `${space}/threads`, {
    parent_event_id: question.event_id,
    subject: 'Where to',
  })
  await post(scout.api_key, `${space}/response`, {
    text: 'To the sea.',
    parent_event_id: question.event_id,
    thread_id: thread.thread_id,
  })
  await post(bob.api_key, `${space}/events`, {
    text: 'Recorded earlier',
    speaker_id: 'guest',
    speaker_name: 'A guest',
    speaker_type: 'transcript',
    references: ['file:///recording.wav'],
  })
  const decisions = []
  for (const text of ['Go to the sea', 'Go to the mountains', 'Stay at home']) {
    decisions.push(await post(ada.api_key, `${space}/decisions`, { proposed_by: ada.actor_id, text }))
  }
  for (const [index, status] of [
    ['0', 'resolved'],
    ['1', 'rejected'],
  ]) {
    await call(url, bob.api_key, 'PUT', `${space}/decisions/${decisions[index].decision_id}/resolve`, {
      resolved_by: bob.actor_id,
      resolution: `It was ${status}`,
      status,
    })
  }
  await post(ada.api_key, `${space}/links`, { target_id: 'archive', link_type: 'relates_to' })
  await post(ada.api_key, '/api/spaces/archive/archive', {})

  const ofAda = [
    '/api/actors/me',
    '/api/actors/me/agents',
    `/api/tenants/${tenant.tenant_id}`,
    '/api/spaces',
    `${space}/status`,
    '/api/spaces/archive/status',
    `${space}/events`,
    `${space}/transcript`,
    `${space}/threads/${thread.thread_id}`,
    `${space}/mentions/${scout.actor_id}`,
    `${space}/decisions`,
    `${space}/links`,
    '/api/search?q=sea',
  ]
  return [
    ...ofAda.map((path) => ({ path, key: ada.api_key })),
    ...[bob.api_key, scout.api_key, token.token].map((key) => ({ path: `${space}/events?tail=true&limit=2`, key })),
  ]
}
