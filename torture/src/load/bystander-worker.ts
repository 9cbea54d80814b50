import { parentPort, workerData } from 'node:worker_threads'
import { Bystander } from './bystander.js'

/** The thread of a `BystanderThread`: it reports its start, and answers each message with a report. */
const bystander = await Bystander.begin(workerData as string)
parentPort?.on('message', () => parentPort?.postMessage(bystander.report()))
parentPort?.postMessage('begun')
