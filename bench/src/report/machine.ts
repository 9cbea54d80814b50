import { arch, cpus, release, totalmem, type } from 'node:os'
import { OWN } from '../service/checkout.js'
import { Service } from '../service/service.js'
import { versionOf } from '../tools/install.js'

/** The machine and the programs of a run. */
interface Machine {
  readonly date: string
  readonly commit: string | null
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  /** The version by program name; null if not installed. */
  readonly versions: Readonly<Record<string, string | null>>
}

export async function describeMachine(): Promise<Machine> {
  const models = cpus().map(({ model }) => model.trim())
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: OWN.commit,
    cpu: models[0] ?? arch(),
    cores: models.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    versions: {
      Node: process.versions.node,
      PostgreSQL: Service.postgresVersion,
      wrk: await versionOf('wrk'),
      pgbench: await versionOf('pgbench'),
    },
  }
}
