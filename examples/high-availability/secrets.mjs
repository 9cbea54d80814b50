import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const NAMES = /** @type {const} */ (['superuser', 'replication', 'rewind', 'owner', 'service', 'serverKey'])

/** @typedef {Record<typeof NAMES[number], string>} Secrets */

/**
 * The secrets in the file, which is made at the first start.
 *
 * @param {string} file
 * @returns {Secrets}
 */
export function openSecrets(file) {
  if (!existsSync(file)) {
    const secrets = Object.fromEntries(NAMES.map((name) => [name, randomBytes(32).toString('hex')]))
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}
