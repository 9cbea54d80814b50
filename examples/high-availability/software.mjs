import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Programs, and their packages in Debian and Ubuntu. */
export const SOFTWARE = {
  haproxy: ['haproxy'],
  etcd: ['etcd-server'],
  patroni: ['patroni', 'python3-etcd'],
  postgres: ['postgresql'],
}

const VERSIONS = '/usr/lib/postgresql'

/** The directory of Debian's newest PostgreSQL, outside of every PATH. */
export function postgresDirectory() {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(VERSIONS, version, 'bin')).find((path) => existsSync(join(path, 'postgres')))
}
