import { join } from 'node:path'
import type { Options } from './options.js'
import type { Bench } from './row.js'
import { openArchive } from './service/archive.js'
import { type Checkout, OWN } from './service/checkout.js'
import { openStage } from './service/stage.js'

/** Opens a bench, whose services start on first use. */
export function openBench(checkout: Checkout, { sizes, data }: Pick<Options, 'sizes' | 'data'>): Bench {
  const directory = data && (checkout === OWN ? data : join(data, 'against'))
  return {
    checkout,
    sizes,
    stage: once(() => openStage(checkout, sizes)),
    archive: once(() => openArchive(checkout, sizes, directory)),
  }
}

/** Caches the result of the first call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
