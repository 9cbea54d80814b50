import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  eventually,
  inDatabase,
  type MailReceived,
  MailServer,
  postmasterOf,
  query,
} from '@collab-spaces/testing/programs'
import type { Row } from '../row.js'
import { insistOn } from '../service/insist.js'
import { type Human, openSpace, register } from '../service/people.js'
import { startPostgres } from '../service/postgres.js'
import { settingsFor, type Trial } from '../trial.js'

const DATABASE = 'torture'
const SPACE = 'away'
const PEOPLE = 24
/** The messages that a server sends concurrently, and so the maximum of repeated ones after a kill. */
const WIDTH = 8
const INSTANCES = 2
/** The number of mentions between two faults. */
const MENTIONS: readonly [number, number] = [10, 30]
const NOTIFICATION_TIMEOUT_MS = 90_000

export const notificationsUnderKills: Row = {
  name: 'N1',
  title: 'notifications while servers and PostgreSQL are killed',
  waitsLong: true,
  about:
    'Humans who are away are mentioned, and two instances notify them by e-mail. In turns one is killed, or both, or ' +
    'PostgreSQL, while messages are in transit. In the end each mention is in exactly one message; repeated ' +
    'messages have the same id, and there are no more of them than were in transit.',
  async run(trial) {
    const postgres = await startPostgres(await trial.directory())
    trial.cleanup.add(postgres.stop)
    const connection = inDatabase(postgres.template, DATABASE)
    await query(inDatabase(postgres.template, 'postgres'), `CREATE DATABASE ${DATABASE} TEMPLATE spaces_template`)
    const mail = new MailServer()
    await mail.open()
    trial.cleanup.add(() => mail.close())
    const settings = { ...settingsFor(connection), ...mail.settings, SERVER_KEY: '5a'.repeat(32) }
    const instances = await trial.instances(INSTANCES, settings)
    const urls = instances.map(({ url }) => url)
    const ada = await register(urls[0] as string)
    await openSpace(urls[0] as string, ada, SPACE)
    const people = await tellPeople(trial, urls, mail)

    const mentions = new Map(people.map(({ actorId }) => [actorId, 0]))
    const mention = async () => {
      const { actorId } = trial.pick(people)
      await insistOn(urls, {
        path: `/api/spaces/${SPACE}/speech`,
        key: ada.key,
        headers: { 'Idempotency-Key': randomUUID() },
        body: { text: 'Please', metadata: { mentions: [actorId] } },
      })
      mentions.set(actorId, (mentions.get(actorId) ?? 0) + 1)
    }
    const killAll = async () => {
      await Promise.all(instances.map((instance) => instance.kill()))
      // Leases of killed servers are taken over after their expiry: here at once, as no other server holds one.
      await hurryAll(connection)
      await Promise.all(instances.map((instance) => instance.start()))
    }
    // A server that is killed before its message is confirmed sends it again.
    mail.onTaken = () => delay(trial.between(0, 100))
    const isUnderWay = () => {
      const before = mail.messages.length
      return eventually(() => mail.messages.length > before, NOTIFICATION_TIMEOUT_MS)
    }
    const faults: Record<string, () => Promise<void>> = {
      'servers killed': async () => {
        const victim = trial.pick(instances)
        await victim.kill()
        await victim.start()
      },
      'PostgreSQL killed': async () => {
        const victim = await postmasterOf(postgres.dataDir)
        if (victim === undefined) throw new Error('PostgreSQL was not started again')
        process.kill(victim, 'SIGKILL')
      },
      'all servers killed': killAll,
    }
    const names = Object.keys(faults)
    const done = Object.fromEntries(names.map((name) => [name, 0]))
    const first = trial.between(0, names.length - 1)
    let count = 0
    for (; trial.hasTimeFor(count); count++) {
      for (let n = trial.between(...MENTIONS); n > 0; n--) await mention()
      await isUnderWay()
      await delay(trial.between(0, 100))
      const name = names[(first + count) % names.length] as string
      await (faults[name] as () => Promise<void>)()
      done[name] = (done[name] ?? 0) + 1
    }

    mail.onTaken = () => {}
    await killAll()
    const areTold = () => {
      const counts = told(mail.messages)
      return [...mentions].every(([actorId, wanted]) => (counts.get(actorId) ?? 0) >= wanted)
    }
    await eventually(areTold, NOTIFICATION_TIMEOUT_MS).catch(() => {})
    const counts = told(mail.messages)
    let [lost, doubled] = [0, 0]
    for (const [actorId, wanted] of mentions) {
      const came = counts.get(actorId) ?? 0
      lost += Math.max(0, wanted - came)
      doubled += Math.max(0, came - wanted)
    }
    const digests = mail.messages.filter(isDigest)
    const repeated = digests.length - new Set(digests.map(({ id }) => id)).size
    trial.require(lost === 0, `${lost} mentions were never notified`)
    trial.require(doubled === 0, `${doubled} mentions were told in two messages`)
    const most = (count + 1) * INSTANCES * WIDTH
    trial.require(repeated <= most, `${repeated} messages came again, and ${most} at most were under way`)
    return {
      mentions: sum(mentions.values()),
      messages: digests.length,
      lost,
      doubled,
      'came again': repeated,
      ...done,
    }
  },
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((sum, number) => sum + number, 0)

const addressOf = ({ actorId }: Human) => `${actorId}@example.org`

/** Registers humans with a confirmed address, who are notified without delay. */
async function tellPeople(trial: Trial, urls: readonly string[], mail: MailServer): Promise<Human[]> {
  const people: Human[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const person = await register(trial.pick(urls), `Person ${n}`)
    people.push(person)
    const body = { email: addressOf(person), delay_minutes: 0 }
    await insistOn(urls, { method: 'PUT', path: '/api/actors/me/notifications', key: person.key, body })
    const asked = await eventually(() => mail.messages.find(({ to }) => to === addressOf(person)))
    const link = /\S+\/notifications\/verify\/\S+/.exec(asked.text)?.[0] ?? ''
    await fetch(link, { method: 'POST' })
  }
  return people
}

const hurryAll = (connection: Parameters<typeof query>[0]) =>
  eventually(() =>
    query(connection, 'UPDATE notification_channels SET due_at = now()').then(
      () => true,
      () => false,
    ),
  )

const isDigest = ({ text }: MailReceived) => text.includes('\r\nSubject: You have unread events')

/** Returns the number of notified mentions of each human; a repeated message counts once. */
function told(messages: readonly MailReceived[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { to, text } of new Map(messages.filter(isDigest).map((message) => [message.id, message])).values()) {
    const actorId = to.replace(/@.*$/, '')
    const count = Number(new RegExp(`^${SPACE}: (\\d+) events?`, 'm').exec(text)?.[1] ?? 0)
    counts.set(actorId, (counts.get(actorId) ?? 0) + count)
  }
  return counts
}
