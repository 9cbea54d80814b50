#!/usr/bin/env node
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type Express from 'express'
import { listen } from './listen.js'

/**
 * Parse Server as its documentation sets it up, on a PostgreSQL by its socket. Its arguments are the folder that it is
 * installed in, and the connection as JSON; it prints its address.
 */

interface ParseServerModule {
  ParseServer: new (options: object) => { readonly app: Express.RequestHandler; start(): Promise<void> }
}

const [folder = '', connection = '{}'] = process.argv.slice(2)
// It keeps logs where it is started.
process.chdir(folder)
/** From that folder, not from ours. */
const load = createRequire(join(folder, 'package.json'))
const express: typeof Express = load('express')
const { ParseServer }: ParseServerModule = load('parse-server')
const database: { database: string } = JSON.parse(connection)

const app = express()
const url = await listen(createServer(app))
const server = new ParseServer({
  // The options name the socket, which the address cannot.
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
