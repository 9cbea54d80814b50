// Loaded into a server by release-data.mjs. Writes down each statement that the server sends to its database, with its
// values as they go over the wire, and when it was answered.
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// biome-ignore lint/style/noProcessEnv: a module that is loaded into a program gets nothing else
const { RECORD_TO, RECORD_CHECKOUT } = process.env
const load = createRequire(join(RECORD_CHECKOUT, 'packages/db/package.json'))
const pg = load('pg')
const { prepareValue } = load('pg/lib/utils')

const connections = new Map()
let sent = 0

const write = (step) => appendFileSync(RECORD_TO, `${JSON.stringify(step)}\n`)

/** As it goes over the wire: text, bytes or null. */
function encoded(value) {
  const prepared = prepareValue(value)
  return Buffer.isBuffer(prepared) ? { hex: prepared.toString('hex') } : prepared
}

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (...args) {
  const number = sent++
  if (!connections.has(this)) connections.set(this, connections.size)
  const [statement, given] = args
  const text = typeof statement === 'string' ? statement : statement.text
  const values = (Array.isArray(given) ? given : statement.values) ?? []
  write({ kind: 'sent', number, connection: connections.get(this), text, values: values.map(encoded) })
  const answered = (error) => write({ kind: 'answered', number, error: error?.code ?? null })

  const last = args.length - 1
  if (typeof args[last] === 'function') {
    const callback = args[last]
    args[last] = (error, result) => {
      answered(error)
      callback(error, result)
    }
    return query.apply(this, args)
  }
  const result = query.apply(this, args)
  result.then(() => answered(null), answered)
  return result
}
