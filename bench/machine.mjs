import { execFileSync } from 'node:child_process'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { versionOf } from './tools.mjs'

/** What was measured on, and with what. @param {string | undefined} postgresql Its version. */
export async function machine(postgresql) {
  const models = cpus().map(({ model }) => model.trim())
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    cpu: models[0] ?? arch(),
    cores: models.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    Node: process.versions.node,
    PostgreSQL: postgresql ?? null,
    wrk: await versionOf('wrk'),
    pgbench: await versionOf('pgbench'),
    nginx: await versionOf('nginx'),
  }
}

function commit() {
  try {
    const short = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
    const changed = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).trim() !== ''
    return changed ? `${short} with changes` : short
  } catch {
    return null
  }
}
