import { parentPort, workerData } from 'node:worker_threads'
import { Bystander } from './bystander.js'

/** The thread of a `BystanderThread`: it says that it has begun, and answers each message with a report. */
const bystander = await Bystander.begin(workerData as string)
parentPort?.on('message', () => parentPort?.postMessage(bystander.report()))
parentPort?.postMessage('begun')
