import type { Stats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { EmbeddedError } from './errors.js'

/** A user of the operating system. */
export interface Account {
  name: string
  uid: number
  gid: number
}

export async function readPasswd(file = '/etc/passwd'): Promise<Account[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

export async function nameOf(uid: number): Promise<string> {
  const account = (await readPasswd()).find((one) => one.uid === uid)
  return account ? account.name : `user ${uid}`
}

/**
 * The account root runs PostgreSQL as, because PostgreSQL refuses to run as root: the owner of the data, or else an
 * account that most machines have. initdb requires it to be in the passwd file.
 */
export function accountFor(passwd: Account[], cluster: Stats | undefined, dataDir: Stats | undefined): Account {
  const byUid = (uid: number) => passwd.find((account) => account.uid === uid)
  if (cluster && cluster.uid !== 0) {
    // Unlike initdb, the server itself runs as a user without a name.
    return byUid(cluster.uid) ?? { name: `user ${cluster.uid}`, uid: cluster.uid, gid: cluster.gid }
  }
  const owner = dataDir && dataDir.uid !== 0 ? byUid(dataDir.uid) : undefined
  const account = owner ?? ['postgres', 'nobody'].map((name) => passwd.find((one) => one.name === name)).find(Boolean)
  if (account && account.uid !== 0) return account
  throw new EmbeddedError(
    'PostgreSQL refuses to run as root, and there is no account "postgres" or "nobody" to run it as: start as an ordinary user, or set DATABASE_URL',
  )
}
