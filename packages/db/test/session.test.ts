import pg from 'pg'
import { expect, it } from 'vitest'
import { clientConfig } from '../src/connection/connection.js'
import { usePostgres } from './postgres.js'

const postgres = usePostgres()

it('a session has the options of its URL, and those of the service, which win', async () => {
  const { host, user, password, database } = postgres.connection
  const options = encodeURIComponent('-c work_mem=5MB -c timezone=America/New_York')
  const place = `host=${encodeURIComponent(host)}&options=${options}&sslmode=disable`
  const connectionString = `postgres://${user}:${password}@localhost/${database}?${place}`
  const client = new pg.Client(clientConfig({ connectionString, operator: 'Ada Lovelace' }))
  await client.connect()
  const { rows } = await client.query(
    `SELECT current_setting('work_mem') AS memory, current_setting('timezone') AS zone,
       current_setting('enable_seqscan') AS scans, current_setting('spaces.operator') AS operator`,
  )
  await client.end()
  expect(rows).toEqual([{ memory: '5MB', zone: 'UTC', scans: 'off', operator: 'Ada Lovelace' }])
})
