import { rename } from 'node:fs/promises'
import type { ConnectionOptions } from '@collab-spaces/db'
import { BucketServer, eventually, inDatabase, postmasterOf, query } from '@collab-spaces/testing/programs'
import { Uploader } from '../load/uploader.js'
import type { Row } from '../row.js'
import type { Instance } from '../service/instance.js'
import { openSpace, register } from '../service/people.js'
import { type Postgres, startPostgres } from '../service/postgres.js'
import { settingsFor, type Trial } from '../trial.js'

const SPACE = 'files'
const UPLOADERS = 8
const INSTANCES = 2
/** Of the servers of one store. */
const FAULTS_FULL = 9
const COLLECTION_MS = 60_000
/** Older than any upload. */
const AGE_MS = 2 * 3_600_000

export const filesUnderKills: Row = {
  name: 'U1',
  title: 'uploads while servers, PostgreSQL and the bucket are killed',
  limitSeconds: 600,
  about:
    'Humans upload, delete and attach files at two instances, repeat what was not answered, and break off; half of ' +
    'the uploads go to PostgreSQL, half to a bucket. In turns a server, PostgreSQL or the bucket is killed. In the end ' +
    'each acknowledged file has its bytes, a file that is listed is complete and its upload was sent as a whole, and ' +
    'no bytes are left without a file after the housekeeping.',
  async run(trial) {
    const inPostgres = await half(trial, 'pg', null)
    const bucket = await BucketServer.at(await trial.directory())
    trial.cleanup.add(() => bucket.kill())
    await bucket.start()
    const inBucket = await half(trial, 's3', bucket)
    return Object.fromEntries(
      Object.keys(inBucket).map((what) => [what, (inPostgres[what] ?? 0) + (inBucket[what] ?? 0)]),
    )
  },
}

async function half(trial: Trial, database: string, bucket: BucketServer | null): Promise<Record<string, number>> {
  const postgres = await startPostgres(await trial.directory())
  trial.cleanup.add(postgres.stop)
  await query(inDatabase(postgres.template, 'postgres'), `CREATE DATABASE ${database} TEMPLATE spaces_template`)
  const connection = inDatabase(postgres.template, database)
  const instances = await trial.instances(INSTANCES, { ...settingsFor(connection), ...bucket?.settings })
  const urls = instances.map(({ url }) => url)
  await openSpace(urls[0] as string, await register(urls[0] as string), SPACE)
  const uploaders: Uploader[] = []
  for (let n = 0; n < UPLOADERS; n++) uploaders.push(await Uploader.at(trial, urls, SPACE))
  for (const uploader of uploaders) uploader.start()
  const done = await attack(trial, uploaders, { instances, postgres, bucket })
  await Promise.all(uploaders.map((uploader) => uploader.stop()))
  await requireFiles(trial, uploaders)
  const garbage = await collect(connection, instances, bucket)
  trial.require(garbage.after === 0, `${garbage.after} contents without a file were not collected`)
  await requireFiles(trial, uploaders)
  const sum = (count: (uploader: Uploader) => number) => uploaders.reduce((total, each) => total + count(each), 0)
  return {
    acknowledged: sum(({ files }) => files.length),
    unanswered: sum(({ unknown }) => unknown),
    'broken off': sum(({ brokenOff }) => brokenOff.size),
    collected: garbage.before,
    ...done,
  }
}

interface Victims {
  readonly instances: readonly Instance[]
  readonly postgres: Postgres
  readonly bucket: BucketServer | null
}

/** Kills one after the other, until enough uploads were acknowledged. */
async function attack(trial: Trial, uploaders: readonly Uploader[], { instances, postgres, bucket }: Victims) {
  const acknowledged = () => uploaders.reduce((total, { files }) => total + files.length, 0)
  const more = async (count: number) => {
    const wanted = acknowledged() + count
    await eventually(() => acknowledged() >= wanted)
  }
  const kinds: Record<string, () => Promise<void>> = {
    'servers killed': async () => {
      const victim = trial.pick(instances)
      await victim.kill()
      await more(trial.between(1, 5))
      await victim.start()
    },
    'PostgreSQL killed': async () => {
      const victim = await postmasterOf(postgres.dataDir)
      if (victim === undefined) throw new Error('PostgreSQL was not started again')
      process.kill(victim, 'SIGKILL')
    },
    ...(bucket && {
      'buckets killed': async () => {
        await bucket.kill()
        await bucket.start()
      },
    }),
  }
  const names = Object.keys(kinds)
  const done = { 'servers killed': 0, 'PostgreSQL killed': 0, 'buckets killed': 0 } as Record<string, number>
  const faults = trial.isFull ? FAULTS_FULL : names.length
  const goal = trial.sizes.uploads / 2
  for (let fault = 0; fault < faults; fault++) {
    await more(trial.between(1, Math.floor(goal / faults)))
    const name = names[fault % names.length] as string
    await (kinds[name] as () => Promise<void>)()
    done[name] = (done[name] ?? 0) + 1
  }
  await more(Math.max(5, goal - acknowledged()))
  return done
}

/** Requires that all acknowledged files are whole, and that no other is visible in part. */
async function requireFiles(trial: Trial, uploaders: readonly Uploader[]): Promise<void> {
  let [lost, undead, partial] = [0, 0, 0]
  for (const uploader of uploaders) {
    for (const file of uploader.files) {
      const { status, sha256 } = await uploader.download(file)
      if (file.isDeleted) undead += status === 404 ? 0 : 1
      else lost += status === 200 && sha256 === file.sha256 ? 0 : 1
    }
    const listed = await uploader.list()
    const names = new Set(listed.map(({ name }) => name))
    trial.require(names.size === listed.length, 'an upload that was repeated with its key has made two files')
    const known = new Set(uploader.files.map(({ fileId }) => fileId))
    for (const { file_id: fileId, name, sha256: expected } of listed) {
      if (uploader.brokenOff.has(name)) partial++
      else if (!known.has(fileId)) partial += (await uploader.download({ fileId })).sha256 === expected ? 0 : 1
    }
  }
  trial.require(lost === 0, `${lost} acknowledged files are lost`)
  trial.require(undead === 0, `${undead} deleted files have their bytes`)
  trial.require(partial === 0, `${partial} files are visible whose upload was not complete`)
}

/** Lets the housekeeping collect garbage, and returns its amount. */
async function collect(connection: ConnectionOptions, instances: readonly Instance[], bucket: BucketServer | null) {
  await Promise.all(instances.map((instance) => instance.kill()))
  await age(connection, bucket)
  const before = await garbageIn(connection, bucket)
  // A server begins with its housekeeping.
  await Promise.all(instances.map((instance) => instance.start()))
  const isDone = async () =>
    (await garbageIn(connection, bucket)) === 0 && (bucket === null || (await chunksIn(connection)) === 0)
  await eventually(isDone, COLLECTION_MS).catch(() => {})
  return { before, after: await garbageIn(connection, bucket) }
}

async function garbageIn(connection: ConnectionOptions, bucket: BucketServer | null): Promise<number> {
  const { rows } = await query(
    connection,
    `SELECT count(*)::int AS count FROM file_chunks k WHERE index = 0 AND NOT EXISTS (
       SELECT FROM file_contents c WHERE c.tenant_id = k.tenant_id AND c.content_id = k.content_id)`,
  )
  const recorded = await query(connection, 'SELECT content_id::text AS id FROM file_contents')
  const ids = new Set(recorded.rows.map(({ id }) => id))
  return rows[0].count + ((await bucket?.objects()) ?? []).filter((id) => !ids.has(id)).length
}

const chunksIn = async (connection: ConnectionOptions): Promise<number> =>
  (await query(connection, 'SELECT count(*)::int AS count FROM file_chunks')).rows[0].count

/** Makes all contents old, as if their uploads had begun earlier: the time is in their ids. */
async function age(connection: ConnectionOptions, bucket: BucketServer | null): Promise<void> {
  const digits = `replace(content_id::text, '-', '')`
  const aged = `(lpad(to_hex(('x' || left(${digits}, 12))::bit(48)::int8 - ${AGE_MS}), 12, '0') || substr(${digits}, 13))::uuid`
  // In one statement, as they refer to each other.
  await query(
    connection,
    `WITH c AS (UPDATE file_contents SET content_id = ${aged}), f AS (UPDATE files SET content_id = ${aged})
     UPDATE file_chunks SET content_id = ${aged}`,
  )
  for (const id of (await bucket?.objects()) ?? []) {
    const hex = (Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - AGE_MS).toString(16).padStart(12, '0')
    await rename(
      bucket?.fileOf(id) as string,
      bucket?.fileOf(`${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`) as string,
    )
  }
}
