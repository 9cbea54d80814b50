import {
  type BrokenTree,
  type ConnectionOptions,
  inTransaction,
  isInService,
  notification,
  placeOf,
  recordOfOperator,
  type SealedTree,
} from '@collab-spaces/db'
import { INSTALLATION } from '@collab-spaces/domain'
import { openNote, type Signer } from '@collab-spaces/merkle'
import type pg from 'pg'
import { problemIn, storedTrees } from '../check/trees.js'
import { withOwner } from '../erasure/session.js'

const HERE = `SELECT WHERE ${isInService('$1')}`

const SIGN = `
  UPDATE log_trees SET checkpoint = $5, signed_by = $6
  WHERE tenant_id = $1 AND space_id = $2 AND tree = $3 AND checkpoint = $4`

/** The outcome for the logs signed with another key. */
export interface Adoption {
  readonly adopted: number
  readonly refused: readonly BrokenTree[]
}

/**
 * Signs the logs of another key with our key, each after all of its entries match the signature of that key: servers
 * continue from no other logs.
 */
export async function adoptLogs(
  connection: ConnectionOptions,
  signer: Signer,
  formerKey: string,
  signal: AbortSignal,
): Promise<Adoption> {
  return withOwner(connection, async (client) => {
    const refused: BrokenTree[] = []
    let adopted = 0
    for await (const tree of storedTrees(client)) {
      if (tree.signedBy !== formerKey || (await client.query(HERE, [tree.key.tenantId])).rowCount === 0) continue
      const problem = await problemIn(client, tree, formerKey, signal).catch((error: Error & { code?: string }) => {
        // Class 22: the stored data is unreadable. The other histories are readable.
        if (!/^22/.test(error.code ?? '')) throw error
        return error.message
      })
      if (problem === null) adopted += await sign(client, tree, signer)
      else refused.push({ key: tree.key, problem })
    }
    await inTransaction(client, () =>
      recordOfOperator(client, INSTALLATION, 'log.adopted', formerKey, { logs: adopted, refused: refused.length }),
    )
    // Makes servers check everything, and seal the new entries.
    await client.query(notification([{ kind: 'resumed' }]))
    return { adopted, refused }
  })
}

async function sign(client: pg.Client, { key, checkpoint, signedBy }: SealedTree, signer: Signer): Promise<number> {
  const text = openNote(checkpoint ?? '', signedBy ?? '') ?? ''
  const values = [key.tenantId, placeOf(key), key.tree, checkpoint, signer.sign(text), signer.key]
  return (await client.query(SIGN, values)).rowCount ?? 0
}
