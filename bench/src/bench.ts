import { join } from 'node:path'
import type { Options } from './options.js'
import type { Bench } from './row.js'
import { openArchive } from './service/archive.js'
import { type Checkout, OWN } from './service/checkout.js'
import { openStage } from './service/stage.js'

/** The bench that rows are measured with; nothing of it is started before a row asks for it. */
export function openBench(checkout: Checkout, { sizes, data }: Pick<Options, 'sizes' | 'data'>): Bench {
  const directory = data && (checkout === OWN ? data : join(data, 'against'))
  return {
    checkout,
    sizes,
    stage: once(() => openStage(checkout, sizes)),
    archive: once(() => openArchive(checkout, sizes, directory)),
  }
}

/** Made at the first call, and the same for all. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
