import { openDatabase } from '@collab-spaces/db'
import { DATABASE_PATIENCE_MS, type TestDatabase } from '@collab-spaces/testing'
import { operatorCommands } from '../../src/commands.js'
import { logSignerOf } from '../../src/operator/log-signer.js'
import { readSettings } from '../../src/settings.js'
import { issuerProblem } from '../../src/sign-in/provider.js'
import { openBucket } from '../../src/storage.js'
import { WEBHOOKS } from './server.js'

/** The person who runs the commands. */
export const OPERATOR_NAME = 'olga \\ root'

/** Runs commands of the operator on the database of a server, and returns their lines. */
export const operatorOf =
  (server: TestDatabase, environment: Record<string, string> = {}) =>
  async (...words: string[]): Promise<string[]> => {
    const lines: string[] = []
    const connection = { ...server.connection, operator: OPERATOR_NAME }
    const program = operatorCommands({
      programName: 'spaces-server',
      version: '0.0.0',
      say: (line) => lines.push(line),
      note: () => {},
      fail: () => {},
      signal: new AbortController().signal,
      withConnection: (work) => work(connection),
      withNewConnection: (work) => work(connection),
      logSigner: (connection) => logSignerOf(readSettings({ ...WEBHOOKS, ...environment }), connection, undefined),
      bucket: await openBucket(readSettings(environment)),
      issuerProblem: async () => {
        const { oidc } = readSettings({ ...WEBHOOKS, ...environment })
        return oidc ? issuerProblem(oidc) : null
      },
      withDatabase: async (work) => {
        const database = await openDatabase({
          connection,
          poolSize: 2,
          timeoutMs: DATABASE_PATIENCE_MS,
          log: () => {},
        })
        try {
          return await work(database)
        } finally {
          await database.close()
        }
      },
    })
    await program.parseAsync(words, { from: 'user' })
    return lines
  }
