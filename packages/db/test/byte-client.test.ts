import { expect, it } from 'vitest'
import { ByteClient } from '../src/connection/byte-client.js'
import { useStandInDatabase } from './stand-in-database.js'

const database = useStandInDatabase()

it('ByteClient returns the bytes of a text, with undocumented parts of pg and its parser', async () => {
  const client = new ByteClient(database.config)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ text: string }>('answer with é漢😀')
  expect(rows.map(({ text }) => Buffer.from(text, 'latin1').toString())).toEqual(['é漢😀'])
  await client.end()
})
