import type { Stats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { EmbeddedError } from './errors.js'

/** A user of the operating system. */
export interface Account {
  name: string
  uid: number
  gid: number
}

export async function readPasswd(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
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

/** The first of the numbers that are tried for an account of PostgreSQL's own. No system assigns it. */
const OWN_UID = 55_432

/**
 * Returns the account that root runs PostgreSQL as, which refuses to run as root: the owner of the data, or else
 * `postgres`, or else an unassigned number. Never the account `nobody`: other programs run as `nobody`, and could read
 * the data.
 */
export function accountFor(passwd: Account[], cluster: Stats | undefined, dataDir: Stats | undefined): Account {
  const byUid = (uid: number) => passwd.find((account) => account.uid === uid)
  if (cluster && cluster.uid !== 0) {
    // Unlike initdb, the server itself runs as a user without a name.
    return byUid(cluster.uid) ?? { name: `user ${cluster.uid}`, uid: cluster.uid, gid: cluster.gid }
  }
  const owner = dataDir && dataDir.uid !== 0 ? byUid(dataDir.uid) : undefined
  const account = owner ?? passwd.find(({ name, uid }) => name === 'postgres' && uid !== 0)
  if (account) return account
  let uid = OWN_UID
  while (byUid(uid)) uid++
  return { name: `user ${uid}`, uid, gid: uid }
}

/**
 * Returns the account that creates a new cluster. initdb, unlike the server, requires its user to be in the passwd
 * file. If `account` is not, `nobody` stands in, in the group of `account`. Other programs of `nobody` are not in that
 * group, so they can neither enter the data directory nor inspect initdb.
 */
export function makerFor(passwd: Account[], account: Account): Account {
  if (passwd.some(({ uid }) => uid === account.uid)) return account
  const standIn = passwd.find(({ name, uid }) => name === 'nobody' && uid !== 0)
  if (standIn) return { ...standIn, gid: account.gid }
  throw new EmbeddedError(
    'PostgreSQL refuses to run as root, and there is no account "postgres" or "nobody" to make its data: start as an ordinary user, or set DATABASE_URL',
  )
}
