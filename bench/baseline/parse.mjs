#!/usr/bin/env node
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Parse Server as its documents set it up, on a PostgreSQL by its socket.
 * `node bench/baseline/parse.mjs <folder it is installed in> <connection as JSON>`; prints its address.
 */

const [folder = '', connection = '{}'] = process.argv.slice(2)
// It keeps logs where it is started.
process.chdir(folder)
/** From that folder, not from ours. @type {(name: string) => any} */
const load = createRequire(join(folder, 'package.json'))
const express = load('express')
const { ParseServer } = load('parse-server')
const database = JSON.parse(connection)

const app = express()
const listening = app.listen(0, '127.0.0.1', async () => {
  const address = listening.address()
  const url = `http://127.0.0.1:${address?.port}`
  const server = new ParseServer({
    // What the address cannot say, a socket, the options do.
    databaseURI: `postgres://localhost/${database.database}`,
    databaseOptions: { ...database, max: 16 },
    appId: 'bench',
    masterKey: 'bench-master-key',
    maintenanceKey: 'bench-maintenance-key',
    serverURL: `${url}/parse`,
    allowClientClassCreation: true,
    silent: true,
  })
  await server.start()
  app.use('/parse', server.app)
  process.stdout.write(`${url}\n`)
})
