import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, eventually, freePorts, IMPATIENT, postmasterOf, startProgram, urlOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { connectionTo, dataDirectory } from './support/data-directory.js'
import { StreamReader } from './support/stream.js'

const NO_WRITES = 'The database takes no writes: it is a standby, or was made read-only'
const UNAVAILABLE = 'The database is unavailable; try again shortly'

const signal = async (dataDir: string, name: NodeJS.Signals) => {
  process.kill((await postmasterOf(dataDir)) as number, name)
}

/** Crashes the database, which restarts as a standby without a primary. */
async function becomesStandby(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, 'postgres', 'standby.signal'), '')
  await signal(dataDir, 'SIGKILL')
}

async function isPromoted(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, 'postgres', 'promote'), '')
  await signal(dataDir, 'SIGUSR1')
}

const configuration = (dataDir: string) => join(dataDir, 'postgres', 'postgresql.auto.conf')
const READ_ONLY = 'default_transaction_read_only = on\n'

/** Makes the database read-only. All connections stay open. */
async function becomesReadOnly(dataDir: string): Promise<void> {
  await appendFile(configuration(dataDir), READ_ONLY)
  await signal(dataDir, 'SIGHUP')
}

async function becomesWritable(dataDir: string): Promise<void> {
  const written = await readFile(configuration(dataDir), 'utf8')
  await writeFile(configuration(dataDir), written.replace(READ_ONLY, ''))
  await signal(dataDir, 'SIGHUP')
}

const times = (text: string, line: string) => text.split(line).length - 1

describe('a database that accepts no more writes', () => {
  it.each([
    ['a standby', becomesStandby, isPromoted],
    ['read-only', becomesReadOnly, becomesWritable],
  ])('is not used while it is %s, not even for reads, and is used again afterwards', async (_, end, begin) => {
    const dataDir = await dataDirectory()
    const server = startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'info', ...IMPATIENT })
    const { client, path } = await new Client(await server.url()).adasSpace()
    const reader = await StreamReader.open(client, path)
    await client.post(`${path}/speech`, { text: 'before' }).expect(200)

    await end(dataDir)
    await eventually(async () => {
      const { status, body } = await client.get('/ready')
      return status === 503 && body.detail === NO_WRITES
    })
    const refused = await client.post(`${path}/speech`, { text: 'meanwhile' })
    refused.expect(503, UNAVAILABLE)
    expect(refused.headers.get('retry-after')).toBe('1')
    await client.get(`${path}/events`).expect(503, UNAVAILABLE)
    await client.get('/health').expect(200)

    await begin(dataDir)
    await eventually(async () => (await client.get('/ready')).status === 200)
    await client.post(`${path}/speech`, { text: 'after' }).expect(200)
    const texts = (await client.get(`${path}/events`).expect(200)).map(({ text }: { text: string }) => text)
    expect(texts).toEqual(['before', 'after'])
    await eventually(() => reader.texts.length === 2)
    expect(reader.texts).toEqual(texts)
    expect(times(server.stderr, 'requests get 503 meanwhile')).toBe(1)
    expect(times(server.stderr, 'the database takes writes again')).toBe(1)
    expect(server.isOver).toBe(false)
    await reader.close()
  })
})

describe('a start on a standby', () => {
  it('fails with one line that names the cause', async () => {
    const dataDir = await dataDirectory()
    const owner = startProgram({ DATA_DIR: dataDir })
    await owner.url()
    await becomesStandby(dataDir)
    const connection = await connectionTo(dataDir)
    const server = await eventually(async () => {
      const started = startProgram({ DATABASE_URL: urlOf(connection), PORT: String(await freePorts(1)) })
      await started.end()
      return started.stderr.includes('takes no writes') ? started : null
    })
    expect(server.complaints).toEqual([
      expect.stringMatching(
        /^Cannot start: The database at \S* takes no writes: name its primary, or an address that leads there$/,
      ),
    ])
  })
})
