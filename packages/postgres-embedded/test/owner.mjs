// A server in a process of its own, so that a test can kill it: node owner.mjs <data directory>
import { startEmbedded } from '../dist/index.js'

try {
  const postgres = await startEmbedded({
    dataDir: process.argv[2],
    explicitDataDir: true,
    log: () => {},
    onLost: (error) => process.send({ lost: error.message }),
  })
  process.on('message', async () => {
    await postgres.stop()
    process.disconnect()
  })
  process.send({ started: postgres.connection })
} catch (error) {
  process.send({ refused: `${error.name}: ${error.message}` }, () => process.disconnect())
}
