#!/usr/bin/env node
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import express from 'express'
import { listen } from './listen.js'

/**
 * Parse Server on a database of its own, with a class of events. Its arguments are the directory it is installed in and
 * the connection as JSON; it prints its address.
 */

const [place = '.', connection = '{}'] = process.argv.slice(2)
// It writes a log below the working directory when it is loaded.
process.chdir(place)
const { ParseServer } = createRequire(join(place, 'package.json'))('parse-server')

const app = express()
const url = await listen(createServer(app))
const parse = new ParseServer({
  // Only its protocol counts: a path of a socket is no host of an address.
  databaseURI: 'postgres://localhost',
  databaseOptions: { ...JSON.parse(connection), max: 16 },
  appId: 'bench',
  masterKey: 'bench',
  restAPIKey: 'bench',
  serverURL: `${url}/parse`,
  logsFolder: null,
  silent: true,
  schema: {
    definitions: [
      {
        className: 'Event',
        fields: {
          space_id: { type: 'String' },
          position: { type: 'Number' },
          speaker_id: { type: 'String' },
          speaker_name: { type: 'String' },
          speaker_type: { type: 'String' },
          text: { type: 'String' },
          references: { type: 'Array' },
          metadata: { type: 'Object' },
        },
        classLevelPermissions: { find: { '*': true }, create: { '*': true } },
      },
    ],
  },
})
await parse.start()
app.use('/parse', parse.app)
process.stdout.write(`${url}\n`)
