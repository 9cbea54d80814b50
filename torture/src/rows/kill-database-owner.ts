import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectionTo, eventually, postmasterOf } from '@collab-spaces/testing/programs'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { Instance } from '../service/instance.js'
import { PostmasterWatch } from '../service/postmaster-watch.js'

const REFUSED = /^Cannot start: Another server is using /

export const killDatabaseOwner: Row = {
  name: 'F5',
  title: 'the owner of the embedded PostgreSQL killed',
  about:
    'A server with its embedded PostgreSQL is killed under load, sometimes together with PostgreSQL, sometimes while it ' +
    'is starting. It restarts, a second one on the same data is refused in one line, there are never two ' +
    'PostgreSQL on the data, and acknowledged writes are kept.',
  async run(trial) {
    const dataDir = join(await trial.directory(), 'data')
    const server = await trial.embeddedServer(dataDir)
    const watch = new PostmasterWatch(dataDir)
    const load = await Load.start(trial, { urls: [server.url] })
    const counts = { kills: 0, 'with PostgreSQL': 0, 'while starting': 0, 'second servers refused': 0 }
    while (trial.hasTimeFor(counts.kills)) {
      await load.more(trial.between(1, 200))
      const postmaster = trial.random() < 0.3 ? await postmasterOf(dataDir) : undefined
      await server.kill()
      if (postmaster !== undefined) {
        process.kill(postmaster, 'SIGKILL')
        counts['with PostgreSQL']++
      }
      counts.kills++
      if (trial.random() < 0.3) {
        server.launch()
        await delay(trial.between(0, 800))
        await server.kill()
        counts['while starting']++
      }
      await server.start()
      if (trial.random() < 0.4 || counts.kills === 1) {
        const complaint = await startSecond(dataDir)
        trial.require(REFUSED.test(complaint), `a second server on the data said: ${complaint}`)
        counts['second servers refused']++
      }
    }
    await load.more(20)
    const seen = await load.finish(await connectionTo(dataDir))
    const most = watch.stop()
    trial.require(most <= 1, `${most} PostgreSQL ran on the same data at once`)
    const code = await server.program.kill('SIGTERM')
    trial.require(code === 0, `told to stop, the server ended with ${code}`)
    await eventually(async () => (await postmasterOf(dataDir)) === undefined).catch(() => {
      trial.violations.push('PostgreSQL outlives its server')
    })
    return { ...seen, ...counts }
  },
}

/** Returns the last output of a second server, which must not become ready. */
async function startSecond(dataDir: string): Promise<string> {
  const second = await Instance.at({ DATA_DIR: dataDir })
  try {
    await second.start()
    return 'that it is ready'
  } catch {
    return second.program.complaints.join('\n')
  } finally {
    await second.kill()
  }
}
